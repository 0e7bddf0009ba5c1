#!/usr/bin/env node
const { loadBundle } = require('./load-bundle.js')

loadBundle().main(process.argv.slice(2))
