/** What a run does where records that it wanted are no longer there: it stops, or goes on past the gap and names it. */
export type DataLossPolicy = 'fail' | 'skip'
