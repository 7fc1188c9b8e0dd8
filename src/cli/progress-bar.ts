// Shows the progress of a command: a bar on a terminal, elsewhere a plain line now and then. Home of cli-progress.
import cliProgress from 'cli-progress'
import type { Progress, ProgressOptions } from '../workspace/maintenance/progress-report.ts'

/** Milliseconds between plain lines. */
const LINE_INTERVAL = 5000
/** Seconds before a rate is meaningful. */
const SETTLING = 0.5

export function showProgress(options: ProgressOptions, stream: NodeJS.WriteStream = process.stderr): Progress {
  const startedAt = performance.now()
  let done = 0
  const summary = (): string => summarize(options, done, (performance.now() - startedAt) / 1000)
  const shown = stream.isTTY ? showBar(options, stream, summary) : showLines(options.label, stream, summary)
  return {
    advance(by) {
      done += by
      shown.update(done)
    },
    stop: () => shown.stop(),
  }
}

interface Shown {
  update(done: number): void
  stop(): void
}

function showBar({ label, total }: ProgressOptions, stream: NodeJS.WriteStream, summary: () => string): Shown {
  const format = total === undefined ? `${label} {summary}` : `${label} {bar} {summary}`
  const bar = new cliProgress.SingleBar(
    { format, stream, hideCursor: true, clearOnComplete: false, barsize: 24, noTTYOutput: false },
    cliProgress.Presets.shades_classic,
  )
  bar.start(Math.max(1, total ?? 1), 0, { summary: '' })
  return {
    update: (done) => bar.update(done, { summary: summary() }),
    stop() {
      bar.update({ summary: summary() })
      bar.stop()
    },
  }
}

function showLines(label: string, stream: NodeJS.WriteStream, summary: () => string): Shown {
  let shownAt = performance.now()
  let isShown = false
  const show = (): void => {
    shownAt = performance.now()
    isShown = true
    stream.write(`${label}: ${summary()}\n`)
  }
  return {
    update() {
      if (performance.now() - shownAt > LINE_INTERVAL) show()
    },
    // A quick command prints no line.
    stop() {
      if (isShown) show()
    },
  }
}

/** `12.3 MB of 97.0 MB, 3.1 MB/s, 28 s left` */
export function summarize({ total, unit }: ProgressOptions, done: number, seconds: number): string {
  const amount = unit === 'bytes' ? megabytes : (count: number) => `${Math.round(count)} ${unit}`
  const parts = [total === undefined ? amount(done) : `${amount(done)} of ${amount(total)}`]
  const rate = done / seconds
  if (seconds > SETTLING && rate > 0) {
    parts.push(`${amount(rate)}/s`)
    if (total !== undefined && done < total) parts.push(`${duration((total - done) / rate)} left`)
  }
  return parts.join(', ')
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 120) return `${whole} s`
  return whole < 7200 ? `${Math.round(whole / 60)} min` : `${Math.round(whole / 3600)} h`
}
