// Packs files and directories into a zip while it is sent, in constant memory. Home of yazl.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { MAX_ZIP_FILES } from '../imports/rules/import-upload.ts'
import { isSkipped } from '../imports/rules/zip-names.ts'
import { StartError, UsageError } from '../kernel/machine/start-error.ts'
import { findInputFile, type InputFile, unreadable } from './input-file.ts'

/** Bytes that a zip has beside a file and its name, about. */
const OVERHEAD = 100

/**
 * A given zip unchanged, or a zip of the given files and of the files in the directories.
 * @throws StartError, UsageError
 */
export function findZip(names: readonly string[]): InputFile {
  const [zip] = names.filter((name) => /\.zip$/i.test(name))
  if (zip !== undefined && names.length > 1)
    throw new UsageError(`'${zip}' is a zip: name one zip alone, or files and directories`)
  return zip === undefined ? packed(filesOf(names)) : findInputFile(zip)
}

interface FoundFile {
  /** Where the file is. */
  readonly source: string
  /** Bytes. */
  readonly size: number
}

/** By the path in the zip. Hidden files in directories are left out. */
function filesOf(names: readonly string[]): ReadonlyMap<string, FoundFile> {
  const found = new Map<string, FoundFile>()
  const add = (inside: string, source: string): void => {
    const other = found.get(inside)
    if (other !== undefined) throw new UsageError(`'${other.source}' and '${source}' have the same name`)
    if (found.size >= MAX_ZIP_FILES)
      throw new UsageError(`There are more than ${MAX_ZIP_FILES} files: send fewer at once`)
    found.set(inside, { source, size: statOf(source).size })
  }
  for (const name of names) {
    if (!statOf(name).isDirectory()) {
      add(path.basename(name), name)
      continue
    }
    const entries = readdirSync(name, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const source of entries.map((entry) => path.join(entry.parentPath, entry.name)).toSorted()) {
      const inside = path.relative(name, source).split(path.sep).join('/')
      if (!isSkipped(inside)) add(inside, source)
    }
  }
  if (found.size === 0) throw new StartError(`There are no files in ${names.join(', ')}`)
  return found
}

function statOf(name: string) {
  try {
    return statSync(name)
  } catch (error) {
    throw unreadable(name, error)
  }
}

/** Pictures are packed already, so they are stored as they are. */
function packed(files: ReadonlyMap<string, FoundFile>): InputFile {
  const size = files.entries().reduce((sum, [inside, file]) => sum + file.size + 2 * inside.length + OVERHEAD, 0)
  return {
    size,
    open(onRead) {
      const zip = new ZipFile()
      const output = zip.outputStream as Readable
      zip.on('error', (error) => output.destroy(error as Error))
      for (const [inside, { source }] of files) zip.addFile(source, inside, { compress: false })
      zip.end()
      return Readable.from(counted(output, onRead), { objectMode: false })
    },
  }
}

async function* counted(output: Readable, onRead: (bytes: number) => void): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of output) {
      onRead((chunk as Buffer).length)
      yield chunk as Buffer
    }
  } catch (error) {
    throw unreadable((error as NodeJS.ErrnoException).path ?? 'a file', error)
  }
}
