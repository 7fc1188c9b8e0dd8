// The first lines of a file that arrives: none is written until it is known whether there is room for what they make. Contract 3 §4.
import type { ImportLine } from './rules/import-outcome.ts'
import type { ImportRun } from './import-run.ts'

/** Lines, and bytes of them, that are held. */
export const MAX_HELD = 10_000
const MAX_BYTES_HELD = 1024 * 1024

/** Looks at the lines, `isWhole` where they are all of the file, and throws where there is no room. */
export type RoomCheck = (lines: readonly ImportLine[], isWhole: boolean) => Promise<void>

export class HeldLines {
  readonly #run: ImportRun
  readonly #check: RoomCheck
  #lines: ImportLine[] | undefined = []
  #bytes = 0

  constructor(run: ImportRun, check: RoomCheck) {
    this.#run = run
    this.#check = check
  }

  get isHolding(): boolean {
    return this.#lines !== undefined
  }

  async take(line: ImportLine): Promise<void> {
    if (this.#lines === undefined) return this.#hand(line)
    this.#lines.push(line)
    this.#bytes += line.size
    if (this.#lines.length >= MAX_HELD || this.#bytes > MAX_BYTES_HELD) await this.release(false)
  }

  /** @throws what the check throws */
  async release(isWhole: boolean): Promise<void> {
    const lines = this.#lines
    if (lines === undefined) return
    this.#lines = undefined
    await this.#check(lines, isWhole)
    for (const line of lines) await this.#hand(line)
  }

  async #hand(line: ImportLine): Promise<void> {
    if (this.#run.isFull) await this.#run.makeRoom()
    await this.#run.take(line)
  }
}
