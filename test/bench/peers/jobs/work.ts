import { json, string, topic } from 'tidemark'

const given = (name: string): string => process.env[name] ?? name.toLowerCase()

/** The name of the topic with the results, and of the job: one of each for every measurement. */
export const result = given('OUT_TOPIC')

/** Results in the topic exactly once with changelogs, or in the store only. */
export const settings = {
  changelog: process.env.RESULTS !== 'store',
  ...(process.env.SLICE_RECORDS === undefined ? {} : { sliceRecords: Number(process.env.SLICE_RECORDS) }),
}

export const events = topic(given('TOPIC'), { key: string(), value: json<{ amount: number }>({ fields: ['amount'] }) })

export const users = topic(given('USERS_TOPIC'), {
  key: string(),
  value: json<{ country: string }>({ fields: ['country'] }),
})
