import { Presets, SingleBar } from 'cli-progress'
import type { Progress } from './progress.ts'
import { bytesInWords, countInWords } from './words.ts'

/** A bar on a terminal. It is taken away when it stops: what remains to be said is in the result. */
export function progressBar(terminal: NodeJS.WriteStream, total: number, unit: 'bytes' | 'records'): Progress {
  const inWords = unit === 'bytes' ? bytesInWords : countInWords
  const bar = new SingleBar(
    {
      stream: terminal,
      clearOnComplete: true,
      hideCursor: true,
      fps: 10,
      format: '{bar} {percentage}%  {done} of {all}',
      barsize: 30,
    },
    Presets.shades_classic,
  )
  const words = (done: number) => ({ done: inWords(done), all: inWords(total) })
  bar.start(total, 0, words(0))
  return {
    update: (done) => bar.update(Math.min(done, total), words(done)),
    stop: () => bar.stop(),
  }
}
