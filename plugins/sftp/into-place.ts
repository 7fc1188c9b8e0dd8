// Gives a whole file its final name, for `../sftp.ts`. A file that is there already with the same bytes counts as delivered: pimlet
// may have died after the rename, before the delivery was noted.
import { createHash } from 'node:crypto'
import { type ExportFile, PermanentError } from '../../src/kernel/destination.ts'
import { NOT_SUPPORTED, statusOf } from './faults.ts'
import { promise, type Session } from './session.ts'

/** Bytes of one read: every server answers with as many. */
const READ_BYTES = 32 * 1024

/**
 * Replaces the target in one step. Servers without OpenSSH's extension can only rename to a free name. Resolves to false where the
 * server has the same bytes under that name: then the temporary file is still there.
 * @throws PermanentError where the server has other bytes under that name, and cannot replace them
 */
export async function moveIntoPlace(
  session: Session,
  temporary: string,
  directory: string,
  file: ExportFile,
): Promise<boolean> {
  const { client } = session
  const target = directory + file.name
  const isDone = await session
    .ask(`rename to ${target}`, () => client.posixRename(temporary, target))
    .then(() => true, ignoreUnsupported)
  if (isDone) return true
  try {
    await session.ask(`rename to ${target}`, () => client.rename(temporary, target))
    return true
  } catch (error) {
    const size = await sizeAt(session, target)
    if (size === undefined) throw error
    // The server may refuse to read, such as in a directory that takes files only.
    const hash = size === file.size ? await hashAt(session, target, size).catch(() => undefined) : undefined
    if (hash === file.sha256) return false
    throw new PermanentError(
      `${target} exists, and this server cannot replace a file in one step (it lacks posix-rename@openssh.com): ` +
        'give each file a name of its own, with {time} or {runId} in filenameTemplate',
    )
  }
}

/** Resolves to undefined where no file can be seen. */
function sizeAt(session: Session, target: string): Promise<number | undefined> {
  const stat = promise<{ size: number }>((done) => session.raw.stat(target, done))
  return session.ask('stat', stat).then(
    ({ size }) => size,
    () => undefined,
  )
}

/** Reads part by part: one request for a large file would count as unanswered. */
async function hashAt(session: Session, target: string, size: number): Promise<string> {
  const { raw } = session
  const open = promise<Buffer>((done) => raw.open(target, 'r', done))
  const handle = await session.ask(`open ${target}`, open)
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(READ_BYTES)
  for (let at = 0; at < size;) {
    const length = Math.min(READ_BYTES, size - at)
    const read = promise<number>((done) =>
      raw.read(handle, buffer, 0, length, at, (error, count) => done(error, count)),
    )
    const count = await session.ask(`read ${target}`, read)
    if (count === 0) break
    hash.update(buffer.subarray(0, count))
    at += count
  }
  await session.ask(
    `close ${target}`,
    promise<void>((done) => raw.close(handle, (error) => done(error))),
  )
  return hash.digest('hex')
}

export function ignoreUnsupported(error: unknown): false {
  if (statusOf(error) === NOT_SUPPORTED) return false
  throw error
}
