import { outsideContract } from '../../contract/outside/outside-contract.ts'
import { kafkaHarness } from './harness.ts'

outsideContract('kafka', kafkaHarness)
