// The destination `sftp`: an SFTP server (decisions §6). The file is written under a temporary name in the target directory,
// its size compared, then moved over the final name in one step. The connection itself is in `sftp/session.ts`.
import * as v from 'valibot'
import { PermanentError } from '../src/exports/destination.ts'
import type { Destination, ExportFile, RunContext } from '../src/exports/destination.ts'
import { openSession, statusOf } from './sftp/session.ts'
import type { Session } from './sftp/session.ts'

/** Writes of 32 KiB, this many under way at once: 2 MiB, which keeps a line with 80 ms of delay busy at 25 MB/s. */
const WRITE_BYTES = 32 * 1024
const WRITES_AT_ONCE = 64
const TEMPORARY = /(^|\/)\.pimlet-[^/]+\.part$/

const NO_SUCH_FILE = 2
const NOT_SUPPORTED = 8

const text = (max: number) => v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(max))

const fingerprint = v.pipe(
  v.string(),
  v.description(
    "Fingerprint of the server's key, as `ssh-keygen -l` prints it. Required unless acceptAnyHostKey is true.",
  ),
  v.transform((value) =>
    value
      .trim()
      .replace(/^SHA256:/, '')
      .replace(/=$/, ''),
  ),
  v.regex(
    /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$/,
    'must be a fingerprint as `ssh-keygen -l` prints it: SHA256: and 43 characters',
  ),
)

const SftpConfig = v.pipeAsync(
  v.object({
    host: v.pipe(
      text(253),
      v.description('Name or address.'),
      v.regex(/^[A-Za-z0-9._:%[\]-]+$/, 'must be a host name or an address, without a port'),
    ),
    port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)), 22),
    username: text(256),
    path: v.optional(
      v.pipe(
        v.string(),
        v.description('A directory that exists: absolute, or relative to the one in which a session begins.'),
        v.maxLength(1024),
        v.regex(/^[^\0\r\n]*$/, 'must be one line'),
      ),
      '',
    ),
    password: v.optional(v.pipe(text(1024), v.description('Either it or privateKey is required.'))),
    privateKey: v.optional(v.pipe(text(32_768), v.description('In OpenSSH, PEM or PuTTY form, with its line breaks.'))),
    passphrase: v.optional(v.pipe(text(1024), v.description('Of an encrypted private key.'))),
    hostKeySha256: v.optional(fingerprint),
    acceptAnyHostKey: v.optional(
      v.pipe(v.boolean(), v.description('Trusts whoever answers, with the password too: for tests.')),
      false,
    ),
    timeoutSeconds: v.optional(
      v.pipe(v.number(), v.minValue(1), v.maxValue(600), v.description('How long a connection may be silent.')),
      60,
    ),
  }),
  v.forward(
    v.check(
      ({ password, privateKey }) => (password === undefined) !== (privateKey === undefined),
      'give either password or privateKey',
    ),
    ['password'],
  ),
  v.forward(
    v.check(
      ({ hostKeySha256, acceptAnyHostKey }) => hostKeySha256 !== undefined || acceptAnyHostKey,
      'is required, as printed by `ssh-keyscan HOST | ssh-keygen -lf -` (or set acceptAnyHostKey to true, which trusts whoever answers)',
    ),
    ['hostKeySha256'],
  ),
  v.forwardAsync(
    v.checkAsync(
      async ({ privateKey, passphrase }) => privateKey === undefined || (await isPrivateKey(privateKey, passphrase)),
      'is no private key that can be read (OpenSSH, PEM or PuTTY form), or its passphrase is missing or wrong',
    ),
    ['privateKey'],
  ),
)

export type SftpConfig = v.InferOutput<typeof SftpConfig>

async function isPrivateKey(key: string, passphrase: string | undefined): Promise<boolean> {
  const { default: ssh2 } = await import('ssh2')
  const parsed: unknown = ssh2.utils.parseKey(key, passphrase)
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed
  return !(first instanceof Error) && (first as { isPrivateKey(): boolean }).isPrivateKey()
}

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

/** The absolute path of the job's directory. */
async function findDirectory(session: Session, { path }: SftpConfig): Promise<string> {
  const { sftp } = session
  const directory = await session.ask<string>(`directory ${path || '.'}`, (done) => sftp.realpath(path || '.', done))
  const facts = await session.ask<{ isDirectory(): boolean }>(`directory ${directory}`, (done) =>
    sftp.stat(directory, done),
  )
  if (!facts.isDirectory()) throw new PermanentError(`${directory} is not a directory`)
  return directory.endsWith('/') ? directory : `${directory}/`
}

async function noteTemporary(directory: string, context: RunContext): Promise<string> {
  const temporary = `${directory}.pimlet-${context.runId}-${crypto.randomUUID()}.part`
  await context.leftovers.note(temporary)
  return temporary
}

async function writeTemporary(session: Session, temporary: string, chunks: AsyncIterable<Buffer>): Promise<void> {
  const { sftp } = session
  const handle = await session.ask<Buffer>(`create ${temporary}`, (done) => sftp.open(temporary, 'wx', done))
  await writeAll(session, handle, chunks)
  await session.ask(`flush ${temporary}`, (done) => sftp.ext_openssh_fsync(handle, done)).catch(ignoreUnsupported)
  await session.ask(`close ${temporary}`, (done) => sftp.close(handle, done))
}

/** Many writes under way, so that the speed does not hang on the delay of the line. */
async function writeAll(session: Session, handle: Buffer, chunks: AsyncIterable<Buffer>): Promise<void> {
  const underWay = new Set<Promise<void>>()
  let offset = 0
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += WRITE_BYTES) {
      const part = chunk.subarray(start, start + WRITE_BYTES)
      const position = offset
      offset += part.length
      const write = session.ask<void>('write', (done) =>
        session.sftp.write(handle, part, 0, part.length, position, done),
      )
      underWay.add(write)
      // One that failed stays in the set, where the next wait finds it.
      write.then(
        () => underWay.delete(write),
        () => undefined,
      )
      if (underWay.size >= WRITES_AT_ONCE) await Promise.race(underWay)
    }
  }
  await Promise.all(underWay)
}

async function assertSize(session: Session, temporary: string, file: ExportFile): Promise<void> {
  const { size } = await session.ask<{ size: number }>(`stat ${temporary}`, (done) =>
    session.sftp.stat(temporary, done),
  )
  if (size !== file.size) throw new Error(`the server holds ${size} of ${file.size} bytes`)
}

/** Replaces the target in one step. Servers without OpenSSH's extension can only rename to a name that is free. */
async function moveIntoPlace(session: Session, temporary: string, target: string): Promise<void> {
  const { sftp } = session
  const isDone = await session
    .ask(`rename to ${target}`, (done) => sftp.ext_openssh_rename(temporary, target, done))
    .then(() => true, ignoreUnsupported)
  if (isDone) return
  try {
    await session.ask(`rename to ${target}`, (done) => sftp.rename(temporary, target, done))
  } catch (error) {
    const isTaken = await session
      .ask('stat', (done) => sftp.stat(target, done))
      .then(
        () => true,
        () => false,
      )
    if (!isTaken) throw error
    throw new PermanentError(
      `${target} exists, and this server cannot replace a file in one step (it lacks posix-rename@openssh.com): ` +
        'give each file a name of its own, with {time} or {runId} in filenameTemplate',
      { cause: error },
    )
  }
}

function ignoreUnsupported(error: unknown): false {
  if (statusOf(error) === NOT_SUPPORTED) return false
  throw error
}

/** Deletes a temporary file; one that cannot be deleted stays noted for the next sweep. */
async function remove(session: Session, temporary: string, context: RunContext): Promise<void> {
  try {
    await session.askLast(`delete ${temporary}`, (done) => session.sftp.unlink(temporary, done))
  } catch (error) {
    if (statusOf(error) !== NO_SUCH_FILE) return context.log(`sftp: ${temporary} is left for now: ${String(error)}`)
  }
  await context.leftovers.forget(temporary)
}

function toUrl({ username, host, port }: SftpConfig, path: string): string {
  const bare = host.replace(/^\[|\]$/g, '')
  const shown = bare.includes(':') ? `[${bare}]` : bare
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return `sftp://${encodeURIComponent(username)}@${shown}:${port}${path.startsWith('/') ? '' : '/'}${encoded}`
}

const sftp: Destination<SftpConfig> = {
  type: 'sftp',
  config: SftpConfig,
  secrets: ['password', 'privateKey', 'passphrase'],

  async check(config, context) {
    await withSession(config, context, async (session) => {
      const temporary = await noteTemporary(await findDirectory(session, config), context)
      try {
        await writeTemporary(
          session,
          temporary,
          (async function* () {
            yield Buffer.from('pimlet')
          })(),
        )
      } finally {
        await remove(session, temporary, context)
      }
    })
  },

  async deliver(file, config, context) {
    return await withSession(config, context, async (session) => {
      const directory = await findDirectory(session, config)
      const temporary = await noteTemporary(directory, context)
      const source = file.open()
      try {
        await writeTemporary(session, temporary, source)
        await assertSize(session, temporary, file)
        await moveIntoPlace(session, temporary, directory + file.name)
      } catch (error) {
        await remove(session, temporary, context)
        throw error
      } finally {
        source.destroy()
      }
      await context.leftovers.forget(temporary)
      return { destinationPath: toUrl(config, directory + file.name) }
    })
  },

  async sweep(config, context) {
    const names = (await context.leftovers.list()).filter((name) => TEMPORARY.test(name))
    if (names.length === 0) return
    await withSession(config, context, async (session) => {
      for (const name of names) await remove(session, name, context)
    })
  },
}

export default sftp
