// The destination `sftp`: an SFTP server (contract 2 §6), by ssh2-sftp-client. The file is written under a temporary name
// in the target directory, and its size is compared. Then the file is moved over the final name in one step. The connection
// itself is in `sftp/session.ts`.
//
// The parts of the client's `put` are used, but not `put` itself. `put` sets the file's mode past the server's umask (0666
// unless configured otherwise), and cannot flush before the rename. It also waits for the answer to each packet of 32 KiB,
// which is slow on a line with delay. Its `stat` is not used either, since it does not tell a failure (status 4) from
// absence (2).
import { PermanentError } from '../src/kernel/destination.ts'
import type { Destination, ExportFile, RunContext } from '../src/kernel/destination.ts'
import { configSchema, type SftpConfig } from './sftp/config.ts'
import { ignoreUnsupported, moveIntoPlace } from './sftp/into-place.ts'
import { listTemporaries, noteTemporary, type Temporary } from './sftp/temporaries.ts'
import { openSession, promise } from './sftp/session.ts'
import type { Session } from './sftp/session.ts'
import { deliverSeveral, FILES_AT_ONCE } from './shared/several.ts'

/** Writes of 32 KiB, this many at once: 2 MiB, which keeps a fast line with delay busy. */
const WRITE_BYTES = 32 * 1024
const WRITES_AT_ONCE = 64
/** Writes at once of one file, where several files share the connection. */
const WRITES_OF_SEVERAL = WRITES_AT_ONCE / FILES_AT_ONCE

async function withSession<T>(
  config: SftpConfig,
  context: RunContext,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openSession(config, context)
  try {
    return await work(session)
  } finally {
    session.close()
  }
}

/** Returns the absolute path of the job's directory. */
async function findDirectory(session: Session, { path }: SftpConfig): Promise<string> {
  const asked = path || '.'
  const directory = await session.ask(`directory ${asked}`, () => session.client.realPath(asked))
  if (directory === '') throw new PermanentError(`directory ${asked}: no such file or directory`)
  const facts = await session.ask(
    `directory ${directory}`,
    promise<{ isDirectory(): boolean }>((done) => session.raw.stat(directory, done)),
  )
  if (!facts.isDirectory()) throw new PermanentError(`${directory} is not a directory`)
  return directory.endsWith('/') ? directory : `${directory}/`
}

async function writeTemporary(
  session: Session,
  temporary: string,
  chunks: AsyncIterable<Buffer>,
  most = WRITES_AT_ONCE,
): Promise<void> {
  const { raw } = session
  const handle = await session.ask(
    `create ${temporary}`,
    promise<Buffer>((done) => raw.open(temporary, 'wx', done)),
  )
  await writeAll(session, { handle, temporary }, chunks, most)
  const flush = promise<void>((done) => raw.ext_openssh_fsync(handle, (error) => done(error)))
  await session.ask(`flush ${temporary}`, flush).catch(ignoreUnsupported)
  await session.ask(
    `close ${temporary}`,
    promise<void>((done) => raw.close(handle, (error) => done(error))),
  )
}

/** Keeps many writes under way, so that the speed does not depend on the delay of the line. */
async function writeAll(
  session: Session,
  { handle, temporary }: { readonly handle: Buffer; readonly temporary: string },
  chunks: AsyncIterable<Buffer>,
  most: number,
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  let offset = 0
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += WRITE_BYTES) {
      const part = chunk.subarray(start, start + WRITE_BYTES)
      const position = offset
      offset += part.length
      const write = session.ask(
        `write ${temporary}`,
        promise<void>((done) => session.raw.write(handle, part, 0, part.length, position, (error) => done(error))),
      )
      underWay.add(write)
      // A failed write stays in the set, where the next wait finds it.
      write.then(
        () => underWay.delete(write),
        () => undefined,
      )
      if (underWay.size >= most) await Promise.race(underWay)
    }
  }
  await Promise.all(underWay)
}

async function assertSize(session: Session, temporary: string, file: ExportFile): Promise<void> {
  const { size } = await session.ask(
    `stat ${temporary}`,
    promise<{ size: number }>((done) => session.raw.stat(temporary, done)),
  )
  if (size !== file.size) throw new Error(`the server holds ${size} of ${file.size} bytes`)
}

/** Deletes a temporary file if it exists. A file that cannot be deleted stays noted for the next sweep. */
async function remove(session: Session, { path, note }: Temporary, context: RunContext): Promise<void> {
  try {
    await session.askLast(`delete ${path}`, () => session.client.delete(path, true))
  } catch (error) {
    return context.log(`sftp: ${path} is left for now: ${String(error)}`)
  }
  await context.leftovers.forget(note)
}

async function deliverTo(
  session: Session,
  directory: string,
  file: ExportFile,
  { config, context, most }: { readonly config: SftpConfig; readonly context: RunContext; readonly most: number },
): Promise<void> {
  const temporary = await noteTemporary(directory, config, context)
  const source = file.open()
  let isMoved = true
  try {
    await session.named(async () => {
      await writeTemporary(session, temporary.path, source, most)
      await assertSize(session, temporary.path, file)
      isMoved = await moveIntoPlace(session, temporary.path, directory, file)
    })
  } catch (error) {
    await remove(session, temporary, context)
    throw error
  } finally {
    source.destroy()
  }
  if (isMoved) await context.leftovers.forget(temporary.note)
  else await remove(session, temporary, context)
}

function toUrl({ username, host, port }: SftpConfig, path: string): string {
  const bare = host.replace(/^\[|\]$/g, '')
  const shown = bare.includes(':') ? `[${bare}]` : bare
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return `sftp://${encodeURIComponent(username)}@${shown}:${port}${path.startsWith('/') ? '' : '/'}${encoded}`
}

async function* trial(): AsyncGenerator<Buffer, void> {
  yield Buffer.from('pimlet')
}

const sftp: Destination<SftpConfig> = {
  type: 'sftp',
  title: 'SFTP',
  config: configSchema,
  keys: Object.keys(configSchema.entries),
  secrets: ['password', 'privateKey', 'passphrase'],

  place({ host, port, hostKeySha256, acceptAnyHostKey }) {
    const bare = host.replace(/^\[|\]$/g, '')
    return { hosts: { host: bare }, secretsGoTo: { host: bare.toLowerCase(), port, hostKeySha256, acceptAnyHostKey } }
  },

  async check(config, context) {
    await withSession(config, context, async (session) => {
      const directory = await session.named(() => findDirectory(session, config))
      const temporary = await noteTemporary(directory, config, context)
      try {
        await session.named(() => writeTemporary(session, temporary.path, trial()))
      } finally {
        await remove(session, temporary, context)
      }
    })
  },

  deliver: (file, config, context) =>
    withSession(config, context, async (session) => {
      const directory = await session.named(() => findDirectory(session, config))
      await deliverTo(session, directory, file, { config, context, most: WRITES_AT_ONCE })
      return { destinationPath: toUrl(config, directory + file.name) }
    }),

  deliverAll: (files, config, context) =>
    withSession(config, context, async (session) => {
      const directory = await session.named(() => findDirectory(session, config))
      await deliverSeveral(files, context, (file) =>
        deliverTo(session, directory, file, { config, context, most: WRITES_OF_SEVERAL }),
      )
    }),

  async sweep(config, context) {
    const temporaries = await listTemporaries(config, context)
    if (temporaries.length === 0) return
    await withSession(config, context, async (session) => {
      for (const temporary of temporaries) await remove(session, temporary, context)
    })
  },
}

export default sftp
