// The files of the workspace, as imports use them.
import type { FileService } from '../files/files.ts'
import type { FileSource } from '../imports/file-cells.ts'
import type { FileKeeper } from '../imports/zip/zip-reading.ts'

export function fileSourceOf(files: FileService): FileSource & FileKeeper {
  return {
    keep: async (caller, chunks, fileName, signal) => (await files.upload(caller, chunks, fileName, signal)).file,
    fetch: async (caller, url, signal) => (await files.fetch(caller, { url }, signal)).file,
    find: (caller, fileName) => files.findOwn(caller, fileName),
  }
}
