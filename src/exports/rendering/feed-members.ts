// The records in a run's file: the render thread writes the list, and it is stored before the delivery. So the content of the
// destination is known even after a crash. Contract 3 §5.
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Store } from '../../store/port.ts'

/** Records that one transaction stores. */
const AT_ONCE = 500

export class MemberFile {
  readonly #file: FileHandle
  #lines = ''

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Replaces an existing list. */
  static async begin(path: string): Promise<MemberFile> {
    return new MemberFile(await open(path, 'w', 0o600))
  }

  async present(ids: readonly string[]): Promise<void> {
    await this.#add(ids, '+')
  }

  async gone(ids: readonly string[]): Promise<void> {
    await this.#add(ids, '-')
  }

  async close(): Promise<void> {
    await this.#file.write(this.#lines)
    await this.#file.close()
  }

  /** IDs hold no line break. */
  async #add(ids: readonly string[], sign: string): Promise<void> {
    for (const id of ids) this.#lines += `${sign}${id}\n`
    if (this.#lines.length < 65_536) return
    await this.#file.write(this.#lines)
    this.#lines = ''
  }
}

export async function storeMembers(
  store: Store,
  { feed, attempt }: { readonly feed: number; readonly attempt: number },
  path: string,
  signal: AbortSignal,
): Promise<void> {
  let records = { present: [] as string[], gone: [] as string[] }
  const keep = async (): Promise<void> => {
    const some = records
    records = { present: [], gone: [] }
    signal.throwIfAborted()
    await store.whenCalm()
    await store.transaction((tx) => tx.exportFeeds.mark(feed, attempt, some))
  }
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    records[line.startsWith('+') ? 'present' : 'gone'].push(line.slice(1))
    if (records.present.length + records.gone.length >= AT_ONCE) await keep()
  }
  if (records.present.length + records.gone.length > 0) await keep()
}

/** Removes the lists of deleted jobs. */
export async function removeOrphans(store: Store, signal: AbortSignal): Promise<void> {
  for (;;) {
    const feed = await store.read.exportFeeds.findOrphan()
    if (feed === undefined) return
    while ((await store.transaction((tx) => tx.exportFeeds.removeMembers(feed, AT_ONCE))) > 0) signal.throwIfAborted()
  }
}
