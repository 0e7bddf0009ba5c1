import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { processHooks } from '../../../src/adapters/processes/process-hooks.ts'

const REPORT = { job: 'orders', event: 'success', records: 7 }

describe('a hook that is a command', () => {
  const node = (script: string, ...args: string[]) => ({ command: [process.execPath, '-e', script, ...args] })

  it('gets the report as JSON on stdin', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-hook-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'report')
    const copy = 'require("fs").writeFileSync(process.argv[1], require("fs").readFileSync(0))'
    await processHooks.call(node(copy, path), REPORT)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(REPORT)
  })

  it('need not read it', async () => {
    await processHooks.call(node('process.stdin.destroy()'), { ...REPORT, padding: 'x'.repeat(1_000_000) })
  })

  it.each([
    ['says no', node('process.exit(3)'), `the hook ${process.execPath} ended with 3`],
    ['dies', node('process.kill(process.pid, "SIGKILL")'), `the hook ${process.execPath} was killed by SIGKILL`],
    ['is not there', { command: ['/no/such/program'] }, 'the hook /no/such/program was not started: '],
  ])('that %s is an error', async (_, hook, message) => {
    const expected = expect.objectContaining({ code: 'IO_FAILED', message: expect.stringContaining(message) })
    await expect(processHooks.call(hook, REPORT)).rejects.toEqual(expected)
  })
})

describe('a hook that is a URL', () => {
  async function server(status: number) {
    const requests: { request: IncomingMessage; body: string }[] = []
    const http = createServer(async (request, response) => {
      requests.push({ request, body: await text(request) })
      response.writeHead(status).end('thanks')
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      http.closeAllConnections()
      http.close()
    })
    return { requests, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` }
  }

  it('is posted the report as JSON', async () => {
    const { requests, origin } = await server(204)
    await processHooks.call({ url: `${origin}/services/secret` }, REPORT)
    const [{ request, body } = {}] = requests
    expect(request).toMatchObject({ method: 'POST', url: '/services/secret' })
    expect(request?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(body ?? '')).toEqual(REPORT)
  })

  it('that says no is an error, and its path stays untold', async () => {
    const { origin } = await server(500)
    const message = `the hook at ${origin} answered 500`
    const call = processHooks.call({ url: `${origin}/services/secret` }, REPORT)
    await expect(call).rejects.toEqual(expect.objectContaining({ code: 'IO_FAILED', message }))
  })

  it('that nobody listens at is an error', async () => {
    const call = processHooks.call({ url: 'http://127.0.0.1:1/services/secret' }, REPORT)
    const message = expect.stringContaining('the hook at http://127.0.0.1:1 was not reached: ')
    await expect(call).rejects.toEqual(expect.objectContaining({ code: 'IO_FAILED', message }))
  })
})
