import { sqliteHarness } from '../log/sqlite-harness.ts'
import { outsideContract } from './outside-contract.ts'

outsideContract('the way out of the embedded log', sqliteHarness)
