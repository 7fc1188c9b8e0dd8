// The files of a delivery of several, as a plugin's thread asks for them: by name, because a file cannot be sent. Contract 2 §6.
import type { ExportFile, SeveralContext } from '../../kernel/destination.ts'
import type { FileFacts } from './plugin-messages.ts'

export class SeveralFiles {
  readonly #files: AsyncIterator<ExportFile>
  readonly #context: SeveralContext
  /** Taken and not delivered, by name. */
  readonly #taken = new Map<string, ExportFile>()

  constructor(files: AsyncIterable<ExportFile>, context: SeveralContext) {
    this.#files = files[Symbol.asyncIterator]()
    this.#context = context
  }

  /** Undefined: there is no further one. */
  async take(): Promise<FileFacts | undefined> {
    const { done, value } = await this.#files.next()
    if (done === true) return undefined
    this.#taken.set(value.name, value)
    return factsOf(value)
  }

  /** @throws TypeError for a name that was not taken */
  async delivered(name: unknown): Promise<void> {
    const file = typeof name === 'string' ? this.#taken.get(name) : undefined
    if (file === undefined) throw new TypeError('delivered() was called with a file that was not taken, or twice')
    this.#taken.delete(file.name)
    await this.#context.delivered(file)
  }
}

export function factsOf({ name, path, size, sha256, contentType, isChecksum, isBeside }: ExportFile): FileFacts {
  return { name, path, size, sha256, contentType, isChecksum, isBeside }
}
