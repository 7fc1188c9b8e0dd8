// Native code. No system loads it from inside the executable, so it is put into the data directory. A checkout and the bundle
// have it as files. The database's is `native/<sha256>/better_sqlite3.node` and checked at every start. The one for
// pictures is put into `native/pictures-<version>/` when pictures are first asked for, and never replaced: its licence lets
// operators put another build of libvips there.
import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import {
  type EmbeddedBinding,
  embeddedBinding,
  embeddedPictureFiles,
  usePlacedBinding,
  usePlacedPictureFiles,
} from './assets.ts'

/** A folder of the data directory. */
export const NATIVE_FOLDER = 'native'

/** Writes the file if it is missing or wrong. @throws the system's error */
export function placeNativeBinding(dataDir: string, binding = embeddedBinding()): void {
  if (binding === undefined) return
  const file = path.join(dataDir, NATIVE_FOLDER, binding.sha256, binding.fileName)
  if (!isIntact(file, binding)) write(file, binding.read())
  usePlacedBinding(file)
}

/** Writes the files that are missing. @throws the system's error */
export function placePictureFiles(dataDir: string, embedded = embeddedPictureFiles()): void {
  if (embedded === undefined) return
  const directory = path.join(dataDir, NATIVE_FOLDER, embedded.folder)
  for (const { path: name, read } of embedded.files) {
    const file = path.join(directory, name)
    if (!isPrivate(file)) write(file, read())
  }
  usePlacedPictureFiles(directory)
}

/** Removes native code of other versions. Call it with the directory locked: then nobody uses them. */
export function removeOldNativeBindings(
  dataDir: string,
  binding = embeddedBinding(),
  pictures = embeddedPictureFiles(),
): void {
  if (binding === undefined) return
  const folder = path.join(dataDir, NATIVE_FOLDER)
  const kept = [binding.sha256, pictures?.folder]
  for (const name of readdirSync(folder)) if (!kept.includes(name)) remove(path.join(folder, name))
  const own = path.join(folder, binding.sha256)
  for (const name of readdirSync(own)) if (name !== binding.fileName) remove(path.join(own, name))
}

/** Whether there is a file that nobody else can write or read. */
function isPrivate(file: string): boolean {
  const facts = lstatSync(file, { throwIfNoEntry: false })
  if (facts === undefined || !facts.isFile()) return false
  return process.platform === 'win32' || ((facts.mode & 0o077) === 0 && facts.uid === process.getuid!())
}

function isIntact(file: string, { sha256 }: EmbeddedBinding): boolean {
  return isPrivate(file) && createHash('sha256').update(readFileSync(file)).digest('hex') === sha256
}

/** Whole or not at all, also where another process does the same at this moment. */
function write(file: string, content: Buffer): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  rmSync(temporary, { recursive: true, force: true })
  const handle = openSync(temporary, 'wx', 0o600)
  try {
    writeSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(file, { recursive: true })
  renameSync(temporary, file)
}

/** A later start removes files that are in use now (on Windows). */
function remove(name: string): void {
  try {
    rmSync(name, { recursive: true, force: true })
  } catch {
    // The file stays, and does no harm.
  }
}
