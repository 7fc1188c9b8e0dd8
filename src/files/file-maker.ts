// Files for those who send them on, such as exports: an original or a rendition as a file of its own on this machine. Contract 4 §4.
import { constants } from 'node:fs'
import { copyFile, link, rm, stat } from 'node:fs/promises'
import { notFound } from '../kernel/errors.ts'
import { isOfSystem, translateFileError } from '../kernel/machine/whole-files.ts'
import type { Store } from '../store/port.ts'
import type { BytesOf } from './files.ts'
import type { Renditions } from './pictures/renditions.ts'
import { type Focus, isMade, type Preset } from './rules/presets.ts'

interface MakerDeps {
  readonly store: Pick<Store, 'read'>
  readonly renditions: Pick<Renditions, 'get'>
  readonly originals: Pick<BytesOf, 'withFile'>
}

interface Asked {
  readonly sha256: string
  readonly preset: Preset
  readonly focus?: Focus | undefined
}

export function createFileMaker({ store, renditions, originals }: MakerDeps) {
  return {
    /**
     * Puts the file at the free `path`. With hard links on the disk, the file takes no more room than the kept bytes.
     * @throws NOT_FOUND if the bytes are missing
     * @throws NOT_RENDERABLE, UNAVAILABLE
     */
    async make({ sha256, preset, focus }: Asked, path: string, signal: AbortSignal) {
      const file = (await store.read.files.get([sha256])).get(sha256)
      // A rendition may outlive its original, which nobody may see any more.
      if (file?.state !== 'kept') throw notFound('File', sha256)
      const withOriginal = originals.withFile(sha256)
      if (isMade(preset)) {
        const made = await renditions.get({ sha256, preset, focus, withOriginal }, signal)
        await share(made.path, path)
        return { size: made.size, sha256: made.etag, contentType: made.mediaType }
      }
      await withOriginal((original) => share(original, path))
      const { size } = await stat(path)
      if (size === file.size) return { size, sha256, contentType: file.mediaType }
      await rm(path, { force: true })
      throw notFound('File', sha256, 'its bytes are damaged in the store of files')
    },
  }
}

/** Not every file system has hard links, and none has them to another one. */
async function share(from: string, to: string): Promise<void> {
  try {
    await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE))
  } catch (error) {
    if (isOfSystem(error)) translateFileError(error)
    throw error
  }
}
