import type { Figure } from '../figure.ts'

const TIMES = 3

/** What one measurement took. `cpuMs` is of this process, on all cores; NaN where another one did the work. */
export interface Took {
  readonly wallMs: number
  readonly cpuMs: number
}

/** Measures from where it is called to where its result is. */
export function stopwatch(): () => Took {
  const cpu = process.cpuUsage()
  const started = performance.now()
  return () => {
    const { user, system } = process.cpuUsage(cpu)
    return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 }
  }
}

/**
 * The least that each of several ways took, of a few times in turn: what else the machine does makes them slower, never
 * faster, and all alike.
 */
export async function leastOf<Way extends string>(
  ways: Readonly<Record<Way, () => Promise<Took>>>,
): Promise<Record<Way, Took>> {
  const least = {} as Record<Way, Took>
  for (let time = 0; time < TIMES; time++) {
    for (const [way, measure] of Object.entries<() => Promise<Took>>(ways) as [Way, () => Promise<Took>][]) {
      const { wallMs, cpuMs } = await measure()
      const before = least[way]
      least[way] = {
        wallMs: Math.min(wallMs, before?.wallMs ?? Number.POSITIVE_INFINITY),
        cpuMs: Math.min(cpuMs, before?.cpuMs ?? Number.POSITIVE_INFINITY),
      }
    }
  }
  return least
}

/** Records a second. `atLeast` undefined: only shown. */
export function rate(name: string, records: number, { wallMs }: Pick<Took, 'wallMs'>, atLeast?: number): Figure {
  return { name, value: (records / wallMs) * 1000, unit: 'rec/s', limit: limitOf(atLeast) }
}

/** Processor time for a million records. */
export function cpu(name: string, records: number, { cpuMs }: Took): Figure {
  return { name: `${name}, CPU for a million`, value: (cpuMs / records) * 1_000_000, unit: 'ms', limit: null }
}

/** How many times as fast as another client, which does not depend on the machine. `atLeast` undefined: only shown. */
export function ratio(name: string, own: number, other: number, atLeast?: number): Figure {
  return { name, value: other / own, unit: 'times', limit: limitOf(atLeast) }
}

function limitOf(atLeast: number | undefined): Figure['limit'] {
  return atLeast === undefined ? null : { kind: 'at-least', value: atLeast }
}
