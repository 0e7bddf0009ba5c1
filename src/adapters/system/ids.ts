import { randomUUID } from 'node:crypto'
import type { Ids } from '../../ports/clock.ts'

export const systemIds: Ids = { uuid: () => randomUUID() }
