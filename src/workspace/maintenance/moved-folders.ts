// Files that belong to a workspace and lie beside its database: those that wait to be imported, which a database has in pieces, and those
// that wait to be delivered again, which one server has.
import { createReadStream } from 'node:fs'
import { appendFile, copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { syncDirectory, syncFile } from '../../kernel/machine/files.ts'
import type { MovingSource, MovingTarget } from '../../store/moving-port.ts'

/** Bytes of a piece. */
const PIECE = 512 * 1024
/** Of what a server had not finished. */
const TEMPORARY = /\./

/** What waits to be delivered again. Nothing happens where both are the same directory; what is there already is replaced. */
export async function copySpool(from: string, to: string): Promise<void> {
  if (from === to) return
  const names = await filesIn(path.join(from, 'spool'))
  if (names.length === 0) return
  await mkdir(path.join(to, 'spool'), { recursive: true, mode: 0o700 })
  for (const name of names) {
    await copyFile(path.join(from, 'spool', name), path.join(to, 'spool', name))
    syncFile(path.join(to, 'spool', name))
  }
  syncDirectory(path.join(to, 'spool'))
  syncDirectory(to)
}

/** What waits to be imported, from a data directory into a database. */
export async function writeImports(from: string, target: Pick<MovingTarget, 'writePiece'>): Promise<void> {
  const directory = path.join(from, 'imports')
  for (const name of await filesIn(directory)) {
    if (TEMPORARY.test(name)) continue
    let place = 0
    const chunks = createReadStream(path.join(directory, name), { highWaterMark: PIECE }) as AsyncIterable<Buffer>
    for await (const content of chunks) {
      await target.writePiece?.({ name, place, content })
      place += 1
    }
    // An empty file has one piece, which is empty.
    if (place === 0) await target.writePiece?.({ name, place, content: Buffer.alloc(0) })
  }
}

/** The same from a database into a data directory that has none. */
export async function readImports(source: Pick<MovingSource, 'pieces'>, to: string): Promise<void> {
  const directory = path.join(to, 'imports')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for await (const { name, content } of source.pieces?.() ?? []) {
    await appendFile(path.join(directory, name), content, { mode: 0o600 })
    syncFile(path.join(directory, name))
  }
  syncDirectory(directory)
}

/** A link leads to what may be somebody else's: no server takes one. */
async function filesIn(directory: string): Promise<string[]> {
  if ((await lstat(directory).catch(() => undefined))?.isDirectory() !== true) return []
  return (await readdir(directory, { withFileTypes: true })).filter((one) => one.isFile()).map(({ name }) => name)
}
