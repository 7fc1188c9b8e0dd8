// Counts the files of a run that were sent, were there before, or failed. Contract 4 §4.
import { type FileError, MAX_FILE_ERRORS, type RunFiles } from '../rules/export-run.ts'

export class FileReport {
  sent = 0
  unchanged = 0
  /** Names of files that could not be made. */
  readonly #unmade = new Set<string>()
  readonly #errors: FileError[] = []
  #others = 0

  /** The feed leads to a file that has no name of its own, or that came too late. */
  tell(error: FileError): void {
    this.#others += 1
    this.#note(error)
  }

  /** A file cannot be made. */
  giveUp(name: string, error: FileError): void {
    this.#unmade.add(name)
    this.#note(error)
  }

  isGivenUp(name: string): boolean {
    return this.#unmade.has(name)
  }

  get givenUp(): number {
    return this.#unmade.size
  }

  get facts(): RunFiles {
    const { sent, unchanged, givenUp } = this
    return { sent, unchanged, failed: givenUp + this.#others, errors: this.#errors }
  }

  #note({ recordId, n, message }: FileError): void {
    if (this.#errors.length < MAX_FILE_ERRORS) this.#errors.push({ recordId, n, message })
  }
}
