// Reads spreadsheets from the main thread: one thread for each, few at a time. A thread continues once its lines are
// taken. Contract 3 §4.
import { rm } from 'node:fs/promises'
import { PimletError } from '../../kernel/errors.ts'
import type { ImportLine } from '../rules/import-outcome.ts'
import { Gate, tooMany } from '../../kernel/gate.ts'
import { partsOf, TaskThread, Works } from '../../kernel/worker.ts'
import { assertWorkbookArchive } from './archive.ts'
import type { FileParts, FileTask, ImportThreadData, SentLine } from './thread-messages.ts'

/** Threads at a time. */
const MAX_READINGS = 3
const MAX_WAITING = 20
/** MiB of a thread's heap. The shared texts of a sheet are outside of this heap. */
const MEMORY_LIMIT = 96
const YOUNG_GENERATION = 8

export function createSheetReading(onFault: (message: string, error: unknown) => void) {
  const gate = new Gate({ size: MAX_READINGS, maxWaiting: MAX_WAITING, refuse: () => tooMany('spreadsheets') })
  const works = new Works()

  /** The thread holds its place in the gate, and counts as reading, until it has ended. */
  async function* read<Kind extends FileTask['kind']>(
    file: string,
    asked: FileTask & { readonly kind: Kind },
    signal: AbortSignal,
  ): AsyncGenerator<FileParts[Kind], void> {
    await assertWorkbookArchive(file)
    const begun = Promise.withResolvers<ReadingThread<Kind>>()
    const reading = works.run(signal, (either) =>
      gate.run(
        async () => {
          const thread = startReading<Kind>(file, either, onFault)
          begun.resolve(thread)
          await thread.ended
          await rm(`${file}.texts`, { force: true })
        },
        { signal: either },
      ),
    )
    reading.catch(begun.reject)
    const thread = await begun.promise
    try {
      const task = thread.begin(asked)
      yield* partsOf(task, await task.next(), task.stop)
    } finally {
      void thread.end()
      await reading.catch(() => undefined)
    }
  }

  return {
    /**
     * Yields lines from the header on. The signal, or the end of the iteration, ends the thread.
     * @throws VALIDATION_ERROR, UNAVAILABLE
     */
    async *rows(
      file: string,
      question: Omit<FileTask & { kind: 'rows' }, 'kind'>,
      signal: AbortSignal,
    ): AsyncGenerator<ImportLine[], void> {
      for await (const lines of read(file, { kind: 'rows', ...question }, signal)) yield lines.map(toLine)
    },
    /** Yields the names of the sheets, all at once. @throws as `rows` does */
    sheets: (file: string, signal: AbortSignal) => read(file, { kind: 'sheets' }, signal),
    /** Ends all reading under way, and refuses later calls. */
    close: () => works.close(),
  }
}

type ReadingThread<Kind extends FileTask['kind']> = TaskThread<FileTask & { readonly kind: Kind }, FileParts[Kind]>

/** A thread for one task. The signal ends it. */
function startReading<Kind extends FileTask['kind']>(
  file: string,
  signal: AbortSignal,
  onFault: (message: string, error: unknown) => void,
): ReadingThread<Kind> {
  const data: ImportThreadData = { role: 'import', file }
  return new TaskThread({
    data,
    limits: { maxOldGenerationSizeMb: MEMORY_LIMIT, maxYoungGenerationSizeMb: YOUNG_GENERATION },
    grace: 0,
    signal,
    interrupted: 'The file could not be read to its end: the reading was interrupted',
    outOfMemory: 'The file needs more memory than one import may take',
    onFault: (error, isOutOfMemory) => {
      if (!isOutOfMemory) onFault('A thread that reads an import stopped', error)
    },
  })
}

function toLine(line: SentLine): ImportLine {
  if (line.kind !== 'fault') return line
  const { line: number, size, code, message, cells } = line
  return { line: number, size, kind: 'fault', error: new PimletError(code, message), cells }
}
