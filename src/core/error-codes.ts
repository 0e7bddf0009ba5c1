/** Exit statuses, after sysexits.h. */
export const EXIT = {
  ok: 0,
  usage: 64,
  badData: 65,
  inputLost: 66,
  unreachable: 69,
  userCode: 70,
  outputRefused: 73,
  io: 74,
  tryAgain: 75,
  state: 76,
  config: 78,
  interrupted: 130,
  terminated: 143,
} as const

interface CodeEntry {
  /** Exit status of a command that ends with this error. */
  readonly exit: number
  /** True when the same command may succeed later with nothing changed. */
  readonly retryable: boolean
}

const code = (exit: number, retryable = false): CodeEntry => ({ exit, retryable })

/** Every error Tidemark raises. `src/errors.md` has a heading for each; a test holds the two together. */
export const ERROR_CODES = {
  USAGE: code(EXIT.usage),
  RANGE_COVERED_DIFFERENTLY: code(EXIT.usage),
  SWITCH_REFUSED: code(EXIT.badData),
  BAD_DATA: code(EXIT.badData),
  SKIP_LIMIT_EXCEEDED: code(EXIT.badData),
  TIMESTAMP_INVALID: code(EXIT.badData),
  TIMESTAMP_TOO_FAR: code(EXIT.badData),
  INPUT_MISSING: code(EXIT.inputLost),
  INPUT_LOST: code(EXIT.inputLost),
  INPUT_REPLACED: code(EXIT.inputLost),
  OUTPUT_LOST: code(EXIT.inputLost),
  LOG_UNREACHABLE: code(EXIT.unreachable, true),
  USER_CODE_FAILED: code(EXIT.userCode),
  UNEXPECTED: code(EXIT.userCode),
  OUTPUT_REFUSED: code(EXIT.outputRefused),
  DISK_FULL: code(EXIT.io),
  IO_FAILED: code(EXIT.io),
  RECORD_BATCH_CORRUPT: code(EXIT.io),
  RECORD_BATCH_UNSUPPORTED: code(EXIT.io),
  LOCKED: code(EXIT.tryAgain, true),
  STATE_BUSY: code(EXIT.tryAgain, true),
  LEASED: code(EXIT.tryAgain, true),
  FENCED: code(EXIT.tryAgain, true),
  GENERATION_SWITCHED: code(EXIT.tryAgain, true),
  STATE_DAMAGED: code(EXIT.state),
  STATE_INCOMPATIBLE: code(EXIT.state),
  STATE_MISSING: code(EXIT.state),
  CHANGELOG_TAKEN: code(EXIT.config),
  BUFFER_FULL: code(EXIT.config),
  JOB_INVALID: code(EXIT.config),
  CONFIG_INVALID: code(EXIT.config),
  INTERRUPTED: code(EXIT.interrupted),
  TERMINATED: code(EXIT.terminated),
} as const satisfies Record<string, CodeEntry>

export type ErrorCode = keyof typeof ERROR_CODES
