// Writes the results that a measured job keeps in its store to the file OUT: dump.mjs WORKLOAD. Off the clock.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

const { OUT, OUT_TOPIC, STATE_DIR } = process.env
const db = new Sqlite(join(STATE_DIR, OUT_TOPIC, 'g1.db'), { readonly: true })
const rows = (store) => db.prepare(`SELECT * FROM "${store}"`).all()
const text = ({ value }) => value.toString()
const mean = (row) => {
  const { count, sum } = JSON.parse(text(row))
  return sum / count
}
const lines = {
  w1: () => rows('counts').map((row) => `${row.key}\t${text(row)}\n`),
  w2: () => rows('means').map((row) => `${row.key}@${row.time}\t${mean(row)}\n`),
  w3: () => rows('sums').map((row) => `${row.key}\t${text(row)}\n`),
}
writeFileSync(OUT, lines[process.argv[2]]().join(''))
