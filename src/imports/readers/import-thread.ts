// The thread that reads one spreadsheet, and ends with it: what it takes of time and memory, nobody else notices. Contract 3 §4.
import { parentPort, workerData } from 'node:worker_threads'
import { PimletError } from '../../kernel/errors.ts'
import type { ImportLine } from '../rules/import-outcome.ts'
import type { FromImportThread, ImportThreadData, SentLine, ToImportThread } from './thread-messages.ts'
import { readSheetNames, readXlsxLines } from './xlsx-lines.ts'

/** Characters, and lines, that cross at a time: whoever takes them has other things to do. */
const MAX_SIZE = 64 * 1024
const MAX_LINES = 200

export function runImportThread(): void {
  const { file, question } = workerData as ImportThreadData
  const port = parentPort!
  const send = (message: FromImportThread): void => port.postMessage(message)
  const fail = (error: unknown): void => send(describeFailure(error))
  if (question.kind === 'sheets') {
    readSheetNames(file)
      .then((names) => send({ kind: 'sheets', names }), fail)
      .finally(() => port.close())
    return
  }
  const batches = inBatches(readXlsxLines({ ...question, file }))
  const answer = async (): Promise<void> => {
    const next = await batches.next()
    send(next.done === true ? { kind: 'end' } : { kind: 'lines', lines: next.value })
    if (next.done === true) port.close()
  }
  port.on('message', (_next: ToImportThread) => void answer().catch(fail))
}

async function* inBatches(some: AsyncIterable<readonly ImportLine[]>): AsyncGenerator<SentLine[], void> {
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
  const { error, line: number, size } = line
  return { line: number, size, kind: 'fault', code: error.code, message: error.message }
}

function describeFailure(error: unknown): FromImportThread {
  if (error instanceof PimletError) return { kind: 'failed', code: error.code, message: error.message }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'failed', code: 'INTERNAL_ERROR', message }
}
