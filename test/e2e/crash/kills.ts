/** Kills at each step: a few by default, many where there is time. */
export const KILLS = Number(process.env.TIDEMARK_KILLS ?? 2)

/** What kills are drawn from: TIDEMARK_SEED, or chosen and printed, so that a failure can be looked into. */
export const SEED = Number(process.env.TIDEMARK_SEED ?? Math.floor(Math.random() * 2 ** 31))

process.stdout.write(`TIDEMARK_SEED=${SEED} TIDEMARK_KILLS=${KILLS}\n`)
