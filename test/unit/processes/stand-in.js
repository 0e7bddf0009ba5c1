// Stands in for the binary: says how it was called, and does what WHAT says.
import { spawn } from 'node:child_process'

const report = { args: process.argv.slice(2), log: process.env.TIDEMARK_LOG, runId: 'run-1' }
const say = () => process.stdout.write(`${JSON.stringify(report)}\n`)
const end = (status) => process.stdout.write('', () => process.exit(status))

switch (process.env.WHAT) {
  case 'noise':
    process.stdout.write('user code says {\n{"also":"this"}\n')
    say()
    process.stdout.write('{ and this\n')
    end(0)
    break
  case 'flood': {
    const line = `${'x'.repeat(99_999)}\n`
    for (let count = 0; count < 100; count++) process.stdout.write(line)
    say()
    end(0)
    break
  }
  case 'wait':
    say()
    process.stdin.on('end', () => end(143)).resume()
    break
  case 'leave-something': {
    const left = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20000)'], { stdio: 'inherit', detached: true })
    left.unref()
    report.left = left.pid
    say()
    end(0)
    break
  }
  default:
    say()
    end(Number(process.env.WHAT))
}
