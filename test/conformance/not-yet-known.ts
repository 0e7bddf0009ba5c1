/** Topologies that have vectors and are not built yet. The list can only shrink: a test fails for one that is known. */
export const NOT_YET_KNOWN: readonly string[] = [
  'fk-join-group-by',
  'fk-join-inner',
  'fk-join-inner-materialized',
  'fk-join-left',
  'fk-join-left-materialized',
  'fk-join-versioned-left',
  'process-values-window-store',
  'processor-forward-timestamp',
  'processor-kv-punctuate',
  'processor-punctuate-cancel',
  'repartition',
  'split-branch',
  'split-no-default',
  'to-topic-extractor',
]
