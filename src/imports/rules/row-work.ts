// The limits of the steps of one row: time for regular expressions, and room for texts that become longer. Contract 3 §4.
import { PatternWork } from '../../core/values/patterns.ts'

/** Characters that the steps of one row may write. */
const MAX_WRITTEN = 200_000

/** The rest of a sentence that begins with the column. */
export class StepFault extends Error {}

export class RowWork {
  readonly patterns = new PatternWork()
  #left = MAX_WRITTEN

  /** @throws StepFault */
  addText(characters: number): void {
    this.#left -= characters
    if (this.#left < 0)
      throw new StepFault(`becomes too long: the steps of one row may write ${MAX_WRITTEN} characters`)
  }
}
