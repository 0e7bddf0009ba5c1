import { memoryHarness } from '../log/memory-harness.ts'
import { outsideContract } from './outside-contract.ts'

outsideContract('the way out of the log in memory', memoryHarness)
