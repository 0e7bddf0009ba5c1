/** For node-cron, which otherwise writes to the console. */
export const NO_LOGGER = { info: nothing, warn: nothing, error: nothing, debug: nothing }

function nothing(): void {
  // what is to be told is told by those who called
}
