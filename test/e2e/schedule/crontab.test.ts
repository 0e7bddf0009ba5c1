import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cronExpression } from '../../../src/topology/cron/cron-expression.ts'
import { checkout } from '../pages/checkout.ts'
import { codeBlocks } from '../pages/code-blocks.ts'
import { ROOT } from '../pages/root.ts'

const LINE = /^((?:\S+ ){4}\S+) (.*)$/

const page = readFileSync(join(ROOT, 'docs/scheduling.md'), 'utf8')
const copy = checkout()

it('the line that the page has for a crontab runs as cron would run it', { timeout: 60_000 }, () => {
  const lines = codeBlocks(page).filter(({ language }) => language === 'crontab')
  expect(lines).toHaveLength(1)
  const [, expression = '', command = ''] = LINE.exec(lines[0]?.text ?? '') ?? []
  cronExpression(expression)
  expect(copy.sh(command.replace('/srv/tidemark', copy.path))).toMatch(/^job .*next slot/)
})

it('what the page has systemd and Kubernetes call are commands that there are', () => {
  const called = [
    ...[...page.matchAll(/^ExecStart=\/srv\/tidemark\/bin\/tidemark.js (.*)$/gm)].map(([, words]) => words),
    ...[...page.matchAll(/command: \[bin\/tidemark.js, (.*)\]/g)].map(([, words]) => words?.replaceAll(',', '')),
  ]
  expect(called).toEqual(['schedule', 'schedule --once', 'schedule --once'])
})
