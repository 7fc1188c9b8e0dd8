// Copies bytes from one store to another, each checked on the way: for backup, restore and migrate. Contract 4 §5.
import { rm } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { receiveFile } from '../receiving.ts'
import { type ContentStore, MissingContent } from './content-store.ts'

/** A file as the workspace knows it. */
export interface KnownFile {
  readonly sha256: string
  /** Bytes. */
  readonly size: number
}

export interface CopyResult {
  readonly copied: number
  /** Files that were there already. */
  readonly present: number
  /** Files that could not be copied, a line each. */
  readonly faults: readonly string[]
}

/**
 * Copies the files that `to` does not have. Both stores must be prepared.
 * @throws UNAVAILABLE where a store is away or full
 */
export async function copyContent(
  from: ContentStore,
  to: ContentStore,
  files: AsyncIterable<KnownFile>,
): Promise<CopyResult> {
  const counts = { copied: 0, present: 0 }
  const faults: string[] = []
  for await (const file of files) {
    if ((await to.sizeOf(file.sha256)) === file.size) {
      counts.present += 1
      continue
    }
    const fault = await copyOne(from, to, file)
    if (fault === undefined) counts.copied += 1
    else faults.push(`${file.sha256} ${fault}`)
  }
  return { ...counts, faults }
}

/** Whether the bytes fit their name: `missing` or `damaged`, or undefined. */
export async function findContentFault(
  store: ContentStore,
  { sha256, size }: KnownFile,
): Promise<'missing' | 'damaged' | undefined> {
  const found = await store.sizeOf(sha256)
  if (found === undefined) return 'missing'
  if (found !== size) return 'damaged'
  const hash = createHash('sha256')
  try {
    for await (const chunk of (await store.open(sha256)) as AsyncIterable<Buffer>) hash.update(chunk)
  } catch (error) {
    if (error instanceof MissingContent) return 'missing'
    throw error
  }
  return hash.digest('hex') === sha256 ? undefined : 'damaged'
}

async function copyOne(from: ContentStore, to: ContentStore, { sha256 }: KnownFile): Promise<string | undefined> {
  try {
    const received = await receiveFile(to.arrivals, await from.open(sha256), Number.MAX_SAFE_INTEGER)
    try {
      if (received.sha256 !== sha256) return `is damaged in ${from.place}`
      await to.keep(sha256, received.file)
      return undefined
    } finally {
      await rm(received.file, { force: true })
    }
  } catch (error) {
    if (error instanceof MissingContent) return `is missing in ${from.place}`
    throw error
  }
}
