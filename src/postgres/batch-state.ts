// The shared state of the transactions of a batch, and the function that sends their held writes.
import type { Model } from '../core/model/rules/model.ts'
import type { Connection } from './connection.ts'
import { toStatements } from './flush.ts'
import type { Layer } from './layer.ts'
import type { FlushIndex } from './search-index/flush-index.ts'
import type { ModelState } from './model-state.ts'
import type { Load } from '../store/rows/session.ts'
import type { WriterNumbers } from './writer-numbers.ts'

export interface BatchState {
  readonly connection: Connection
  readonly index: FlushIndex
  readonly numbers: WriterNumbers
  /** The writes of the transactions that have ended. */
  readonly layer: Layer
  /** The model before the batch. */
  readonly model: ModelState
  /** Transactions that run at the same time, in the order of their requests. */
  readonly together: ReadonlySet<{ readonly layer: Layer; readonly expectedVersions: number }>
  load<Value>(kind: string, ids: readonly string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>>
  /** Sets the value that `load` finds from now on: another query has read this value. */
  know(kind: string, id: string, value: unknown): void
  /** Forgets all loaded values: a rollback may have made them wrong. */
  forget(): void
}

/** Upper bound of the record count. Counted are committed records, and records that these transactions add or reserve. */
export function takenRoom({ numbers, layer }: BatchState, own: readonly Layer[], others: readonly Layer[]): number {
  const before = numbers.row.records + layer.added.records
  const ofOwn = own.reduce((sum, { added, reserved }) => sum + added.records + reserved, 0)
  const ofOthers = others.reduce((sum, { added, reserved }) => sum + Math.max(added.records, 0) + reserved, 0)
  return before + ofOwn + ofOthers
}

export function savepointOf(depth: number): string {
  return depth === 0 ? 'one' : 'step'
}

/** Sends the held writes of a layer. @param model as for `toStatements` */
export function sendAll(
  { connection, index }: Pick<BatchState, 'connection' | 'index'>,
  layer: Layer,
  model?: Model,
): Promise<number>[] {
  const answers: Promise<number>[] = []
  for (const { sql, parameters } of toStatements(layer.release(), index, model)) {
    const answer = connection.run(sql, parameters)
    // If a later statement cannot be built, this answer is never awaited.
    answer.catch(() => undefined)
    answers.push(answer)
  }
  return answers
}

/** Rejects with the first fault in order, since later faults follow from the first. */
export async function allOf(answers: readonly Promise<unknown>[]): Promise<void> {
  for (const answer of answers) answer.catch(() => undefined)
  for (const answer of answers) await answer
}
