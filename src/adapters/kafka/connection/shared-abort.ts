import { setMaxListeners } from 'node:events'

/** An AbortController for any number of tasks that pause at a time: as many listeners are no leak. */
export function sharedAbort(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
