import { logContract } from './log-contract.ts'
import { memoryHarness } from './memory-harness.ts'

logContract('the log in memory', memoryHarness)
