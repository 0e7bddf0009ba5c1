import { logContract } from './log-contract.ts'
import { sqliteHarness } from './sqlite-harness.ts'

logContract('the embedded log', sqliteHarness)
