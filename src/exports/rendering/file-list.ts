// The list of the files that go with a feed: the render thread writes it beside the spool file, and the delivery reads it. So memory
// does not grow with the number of files.
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { ListedFile } from './row-files.ts'

/** Characters that wait to be written. */
const MAX_WAITING = 65_536

export class FileListWriter<Item = ListedFile> {
  readonly #file: FileHandle
  #lines = ''

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Replaces an existing list. */
  static async begin<Item = ListedFile>(path: string): Promise<FileListWriter<Item>> {
    return new FileListWriter(await open(path, 'w', 0o600))
  }

  async add(items: readonly Item[]): Promise<void> {
    for (const item of items) this.#lines += `${lineOf(item)}\n`
    if (this.#lines.length < MAX_WAITING) return
    await this.#file.write(this.#lines)
    this.#lines = ''
  }

  async close(): Promise<void> {
    await this.#file.write(this.#lines)
    await this.#file.close()
  }
}

/**
 * Node's reader of lines also ends a line at U+2028 and U+2029. JSON does not escape these, and names of files may contain
 * them.
 */
function lineOf(item: unknown): string {
  return JSON.stringify(item).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

export async function* readFileList<Item = ListedFile>(path: string): AsyncGenerator<Item, void> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity })
  try {
    for await (const line of lines) yield JSON.parse(line) as Item
  } finally {
    lines.close()
  }
}

/** Name → digest of the files that are there. */
export async function readKnown(path: string): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>()
  for await (const [name, digest] of readFileList<readonly [string, string]>(path)) known.set(name, digest)
  return known
}
