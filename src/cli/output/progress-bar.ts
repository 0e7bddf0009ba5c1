import { Presets, SingleBar } from 'cli-progress'
import type { Progress } from './progress.ts'
import { bytesInWords, countInWords, tookInWords } from './words.ts'

/** A bar on a terminal. It is taken away when it stops: what remains to be said is in the result. */
export function progressBar(terminal: NodeJS.WriteStream, total: number, unit: 'bytes' | 'records'): Progress {
  const inWords = unit === 'bytes' ? bytesInWords : countInWords
  const bar = new SingleBar(
    {
      stream: terminal,
      clearOnComplete: true,
      hideCursor: true,
      fps: 10,
      format: '{bar} {percentage}%  {done} of {all}{rate}',
      barsize: 30,
    },
    Presets.shades_classic,
  )
  const rate = (done: number, perSecond: number | undefined) => {
    if (perSecond === undefined || perSecond <= 0) return ''
    return `  ${inWords(Math.round(perSecond))}/s, ${tookInWords(Math.round((1000 * (total - done)) / perSecond))} left`
  }
  const words = (done: number, perSecond?: number) => {
    return { done: inWords(done), all: inWords(total), rate: rate(done, perSecond) }
  }
  bar.start(total, 0, words(0))
  return {
    update: (done, perSecond) => bar.update(Math.min(done, total), words(done, perSecond)),
    stop: () => bar.stop(),
  }
}
