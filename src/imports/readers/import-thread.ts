// Reads one spreadsheet in a thread that ends afterwards, so that its time and memory affect nobody. Contract 3 §4.
import { workerData } from 'node:worker_threads'
import { onlyStep, serveTasks, stepsOf } from '../../kernel/worker.ts'
import type { ImportLine } from '../rules/import-outcome.ts'
import type { FileParts, FileTask, ImportThreadData, SentLine } from './thread-messages.ts'
import { readSheetNames, readXlsxLines } from './xlsx-lines.ts'

/** Characters, and lines, of one message. The main thread has other work between messages. */
const MAX_SIZE = 64 * 1024
const MAX_LINES = 200

export function runImportThread(): void {
  const { file } = workerData as ImportThreadData
  serveTasks<FileTask, FileParts[FileTask['kind']]>((task) =>
    task.kind === 'sheets'
      ? onlyStep(() => readSheetNames(file))
      : stepsOf(inBatches(readXlsxLines({ ...task, file }))),
  )
}

async function* inBatches(some: AsyncIterable<Iterable<ImportLine>>): AsyncGenerator<SentLine[], void> {
  let batch: SentLine[] = []
  let size = 0
  for await (const lines of some)
    for (const line of lines) {
      batch.push(toSent(line))
      size += line.size
      if (size < MAX_SIZE && batch.length < MAX_LINES) continue
      yield batch
      batch = []
      size = 0
    }
  if (batch.length > 0) yield batch
}

function toSent(line: ImportLine): SentLine {
  if (line.kind !== 'fault') return line
  const { error, line: number, size, cells } = line
  return { line: number, size, kind: 'fault', code: error.code, message: error.message, cells }
}
