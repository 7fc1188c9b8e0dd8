// Keeps bytes in a directory: written under a temporary name, synced, then renamed. Contract 4 §5.
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { translateFileError } from '../../kernel/machine/whole-files.ts'
import { type ByteRange, type ContentStore, MissingContent, nameOf, SHA256 } from './content-store.ts'

/** Bytes of one read. */
const CHUNK = 256 * 1024
const ARRIVALS = 'arriving'

/** @param isShared whether the operator says that every server has this directory */
export function createDirectoryStore(directory: string, { isShared }: { readonly isShared: boolean }): ContentStore {
  const fileOf = (sha256: string): string => path.join(directory, nameOf(sha256))
  const arrivals = path.join(directory, ARRIVALS)
  /** Directories that exist durably. */
  const made = new Set<string>()

  async function makeDirectory(name: string): Promise<void> {
    if (made.has(name)) return
    await mkdir(name, { recursive: true, mode: 0o700 })
    await syncDirectory(path.dirname(name))
    made.add(name)
  }

  return {
    place: directory,
    arrivals,
    isShared,

    prepare: async () => {
      await makeDirectory(arrivals).catch(translateFileError)
    },

    async keep(sha256, file) {
      const target = fileOf(sha256)
      try {
        await syncFile(file)
        await makeDirectory(path.dirname(target))
        await rename(file, target)
        await syncDirectory(path.dirname(target))
      } catch (error) {
        // A directory that was deleted by hand is created by the next upload.
        made.delete(path.dirname(target))
        translateFileError(error)
      }
    },

    open: (sha256, range) => openFile(fileOf(sha256), sha256, range),

    async withFile(sha256, work) {
      if ((await sizeOf(fileOf(sha256))) === undefined) throw new MissingContent(sha256)
      return work(fileOf(sha256))
    },

    sizeOf: (sha256) => sizeOf(fileOf(sha256)),

    remove: async (sha256) => {
      await rm(fileOf(sha256), { force: true }).catch(translateFileError)
    },

    async *list() {
      for (const folder of await readdir(directory).catch(noneOfAbsent)) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue
        for (const name of await readdir(path.join(directory, folder)))
          if (SHA256.test(name) && name.startsWith(folder)) yield name
      }
    },
  }
}

function noneOfAbsent(error: unknown): string[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw error
}

async function openFile(file: string, sha256: string, range: ByteRange | undefined): Promise<Readable> {
  try {
    const handle = await open(file, 'r')
    return createReadStream(file, { fd: handle, highWaterMark: CHUNK, ...range })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new MissingContent(sha256, { cause: error })
    return translateFileError(error)
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : translateFileError(error)
  }
}

async function syncFile(name: string): Promise<void> {
  const handle = await open(name, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes names durable, without holding the main thread. Windows and some network file systems cannot do so. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await handle.close()
  }
}
