#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'

// V8 would rather grow than collect; a run's memory is to follow its caches, not the length of its range.
setFlagsFromString('--heap-growing-percent=60')
const { main } = await import('../dist/bundle/main.js')
await main(process.argv.slice(2))
