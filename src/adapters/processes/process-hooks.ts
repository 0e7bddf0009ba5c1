import { spawn } from 'node:child_process'
import { TidemarkError } from '../../core/errors.ts'
import type { Hooks } from '../../ports/hooks.ts'

/** How long a hook may take. */
const ANSWER_MS = 30_000

/** Hooks as commands, which get the document on stdin and may print to stderr, and as HTTP requests that post it. */
export const processHooks: Hooks = {
  async call(hook, document) {
    const json = `${JSON.stringify(document)}\n`
    if ('url' in hook) await post(hook.url, json)
    else await runCommand(hook.command, json)
  },
}

async function post(url: string, json: string): Promise<void> {
  // The path may hold a secret.
  const shown = `the hook at ${new URL(url).origin}`
  let response: Response
  try {
    const headers = { 'content-type': 'application/json' }
    response = await fetch(url, { method: 'POST', headers, body: json, signal: AbortSignal.timeout(ANSWER_MS) })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw failed(`${shown} was not reached: ${cause instanceof Error ? cause.message : String(cause)}`, error)
  }
  await response.body?.cancel()
  if (!response.ok) throw failed(`${shown} answered ${response.status}`)
}

function runCommand([file = '', ...args]: readonly string[], json: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stdout holds results; what a hook says goes where messages go.
    const child = spawn(file, args, { stdio: ['pipe', 2, 2], timeout: ANSWER_MS, killSignal: 'SIGKILL' })
    child.on('error', (error) => reject(failed(`the hook ${file} was not started: ${error.message}`, error)))
    child.on('exit', (status, signal) => {
      if (status === 0) resolve()
      else reject(failed(`the hook ${file} ${signal === null ? `ended with ${status}` : `was killed by ${signal}`}`))
    })
    // It need not read what it is told.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(json)
  })
}

function failed(message: string, cause?: unknown): TidemarkError {
  return new TidemarkError('IO_FAILED', message, {
    hint: 'The run itself is not affected.',
    ...(cause === undefined ? {} : { cause }),
  })
}
