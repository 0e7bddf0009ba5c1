import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { KAFKA_STREAMS_CLASSES } from '../fixtures/kafka-streams/classes.ts'
import { methodsOf } from '../fixtures/kafka-streams/methods-of.ts'
import { runOrThrow, streamsClassPath } from './broker/java.ts'
import { javaMissing } from './support/java-writer.ts'

const fixture = fileURLToPath(new URL('../fixtures/kafka-streams/methods.json', import.meta.url))

describe.skipIf(javaMissing)("the names that the DSL's page is held to", () => {
  it('are those of the jar of Kafka Streams', () => {
    const classes = Object.entries(KAFKA_STREAMS_CLASSES)
    const printed = runOrThrow('javap', ['-cp', streamsClassPath(), '-public', ...classes.map(([, path]) => path)])
    const each = printed.split(/^Compiled from /m).slice(1)
    const methods = Object.fromEntries(classes.map(([name], at) => [name, methodsOf(each[at] ?? '')]))
    expect(methods).toEqual(JSON.parse(readFileSync(fixture, 'utf8')))
  })
})
