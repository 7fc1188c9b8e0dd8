// How far a run has come, for whoever watches it. Contract 3 §5.
import type { RunProgress } from '../rules/export-run.ts'

const NOTHING: RunProgress = { phase: 'waiting', records: 0, total: null, bytes: 0, attempt: 0, nextAttemptAt: null }

export class ProgressTracker {
  readonly #onChange: () => void
  #present = NOTHING

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get present(): RunProgress {
    return this.#present
  }

  change(what: Partial<RunProgress>): void {
    this.#present = { ...this.#present, nextAttemptAt: null, ...what }
    this.#onChange()
  }
}
