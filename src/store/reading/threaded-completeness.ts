// The main thread's side of completeness in reader threads.
import type { ScoreItem } from './reader-messages.ts'
import type { ReaderPool } from './reader-pool.ts'
import type { DraftScore } from '../../core/records/rules/record-issues.ts'
import type { CompletenessReads, DraftQuery, GatesQuery, ScoreQuery, StoredGates, StoredScore } from '../search-port.ts'

export class ThreadedCompleteness implements CompletenessReads {
  readonly #readers: ReaderPool

  constructor(readers: ReaderPool) {
    this.#readers = readers
  }

  async score(query: ScoreQuery, signal: AbortSignal): Promise<StoredScore> {
    const { batches } = await this.#readers.run<'score'>({ kind: 'score', query }, { callerId: query.callerId, signal })
    const first = await batches.next()
    const [score] = first.value as [Exclude<ScoreItem, string>]
    return { ...score, missingJson: batches as AsyncGenerator<string[], void> }
  }

  async gates(query: GatesQuery, signal: AbortSignal): Promise<StoredGates> {
    const { batches } = await this.#readers.run<'gates'>({ kind: 'gates', query }, { callerId: query.callerId, signal })
    const [gates] = (await Array.fromAsync(batches)).flat()
    return gates!
  }

  async draft(query: DraftQuery, signal: AbortSignal): Promise<DraftScore> {
    const { batches } = await this.#readers.run<'draft'>({ kind: 'draft', query }, { callerId: query.callerId, signal })
    const [score] = (await Array.fromAsync(batches)).flat()
    return score!
  }
}
