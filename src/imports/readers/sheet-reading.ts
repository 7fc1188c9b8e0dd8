// The main thread's side of reading spreadsheets: a thread for each, few at a time, which goes on when what it has brought is
// taken. Contract 3 §4.
import { rm } from 'node:fs/promises'
import { startThread } from '../../kernel/executable/assets.ts'
import { PimletError } from '../../kernel/errors.ts'
import type { ImportLine } from '../rules/import-outcome.ts'
import { Slots } from '../../kernel/slots.ts'
import { assertWorkbookArchive } from './archive.ts'
import type { FileQuestion, FromImportThread, ImportThreadData, SentLine, ToImportThread } from './thread-messages.ts'

interface SheetReading {
  /** From the header on. Whoever stops iterating, and the signal, end it. @throws VALIDATION_ERROR, UNAVAILABLE */
  rows(
    file: string,
    question: Omit<FileQuestion & { kind: 'rows' }, 'kind'>,
    signal: AbortSignal,
  ): AsyncGenerator<ImportLine[], void>
  /** The names of the sheets. Throws the same. */
  sheets(file: string, signal: AbortSignal): Promise<readonly string[]>
  /** Ends what is under way and refuses what comes later. */
  close(): Promise<void>
}

/** Threads at a time. */
const MAX_READINGS = 3
const MAX_WAITING = 20
/** MiB of a thread's heap; the texts of a sheet are outside of it. */
const MEMORY_LIMIT = 96
const YOUNG_GENERATION = 8

export function createSheetReading(onFault: (message: string, error: unknown) => void): SheetReading {
  const slots = new Slots(MAX_READINGS, MAX_WAITING, 'spreadsheets')
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const track = (work: Promise<unknown>): void => {
    const settled = work.catch(() => undefined)
    running.add(settled)
    void settled.finally(() => running.delete(settled))
  }

  /** `taken` resolves to the thread's side while it has a slot, and the slot is free again when `done` resolves. */
  async function open(file: string, question: FileQuestion, signal: AbortSignal) {
    await assertWorkbookArchive(file)
    const either = AbortSignal.any([signal, closing.signal])
    const taken = Promise.withResolvers<Thread>()
    const holding = slots.run(either, async () => {
      const thread = new Thread(file, question, either, onFault)
      taken.resolve(thread)
      await thread.ended
      await rm(`${file}.texts`, { force: true })
    })
    track(holding.catch((error: unknown) => taken.reject(error as Error)))
    return { thread: await taken.promise, holding }
  }

  return {
    async *rows(file, question, signal) {
      const { thread, holding } = await open(file, { kind: 'rows', ...question }, signal)
      try {
        for (let answer = await thread.next(); answer.kind !== 'end'; answer = await thread.next()) {
          if (answer.kind !== 'lines') throw asError(answer)
          yield answer.lines.map(toLine)
        }
      } finally {
        thread.end()
        await holding.catch(() => undefined)
      }
    },
    async sheets(file, signal) {
      const { thread, holding } = await open(file, { kind: 'sheets' }, signal)
      try {
        const answer = await thread.answer()
        if (answer.kind !== 'sheets') throw asError(answer)
        return answer.names
      } finally {
        thread.end()
        await holding.catch(() => undefined)
      }
    },
    async close() {
      closing.abort(new PimletError('UNAVAILABLE', 'The server is shutting down'))
      await Promise.all(running)
    },
  }
}

class Thread {
  readonly ended: Promise<void>
  readonly #worker: ReturnType<typeof startThread>
  readonly #signal: AbortSignal
  #hear: ((answer: FromImportThread | undefined) => void) | undefined
  #early: FromImportThread | undefined
  #isOver = false
  #why = 'The file could not be read to its end: the reading was interrupted'

  constructor(
    file: string,
    question: FileQuestion,
    signal: AbortSignal,
    onFault: (message: string, error: unknown) => void,
  ) {
    const workerData: ImportThreadData = { role: 'import', file, question }
    const limits = { maxOldGenerationSizeMb: MEMORY_LIMIT, maxYoungGenerationSizeMb: YOUNG_GENERATION }
    const worker = startThread(workerData, limits)
    this.#worker = worker
    this.#signal = signal
    worker.on('message', (answer: FromImportThread) => this.#tell(answer))
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.#why = 'The file needs more memory than one import may take'
      else onFault('A thread that reads an import stopped', error)
    })
    signal.addEventListener('abort', this.end, { once: true })
    this.ended = new Promise((resolve) =>
      worker.once('exit', () => {
        signal.removeEventListener('abort', this.end)
        this.#isOver = true
        this.#hear?.(undefined)
        resolve()
      }),
    )
  }

  next(): Promise<FromImportThread> {
    this.#worker.postMessage({ kind: 'next' } satisfies ToImportThread)
    return this.answer()
  }

  /** @throws UNAVAILABLE where the thread ends without one */
  async answer(): Promise<FromImportThread> {
    const answer = await new Promise<FromImportThread | undefined>((resolve) => {
      if (this.#early !== undefined || this.#isOver) resolve(this.#early)
      else this.#hear = resolve
    })
    this.#hear = undefined
    this.#early = undefined
    this.#signal.throwIfAborted()
    if (answer === undefined) throw new PimletError('UNAVAILABLE', this.#why)
    return answer
  }

  readonly end = (): void => void this.#worker.terminate()

  #tell(answer: FromImportThread): void {
    if (this.#hear === undefined) this.#early = answer
    else this.#hear(answer)
  }
}

function toLine(line: SentLine): ImportLine {
  if (line.kind !== 'fault') return line
  const { line: number, size, code, message } = line
  return { line: number, size, kind: 'fault', error: new PimletError(code, message) }
}

function asError(answer: FromImportThread): Error {
  if (answer.kind !== 'failed') return new Error(`The thread that reads an import answered '${answer.kind}'`)
  return answer.code === 'INTERNAL_ERROR' ? new Error(answer.message) : new PimletError(answer.code, answer.message)
}
