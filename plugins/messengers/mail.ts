// The messenger `mail`: one SMTP connection for each message, by nodemailer. Contract 5 §7. The server's answers are not
// repeated: an administrator may have chosen an address that is not meant to be read.
import * as v from 'valibot'
import { PermanentError } from '../../src/kernel/destination.ts'
import type { Message, Messenger, MessengerContext } from '../../src/kernel/messenger.ts'
import { text, timeoutSeconds } from '../shared/config-fields.ts'

const PORTS = { tls: 465, starttls: 587, none: 25 } as const
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@[^\s@<>()[\]\\,;:"\p{C}]{1,189}$/u

const MailConfig = v.pipe(
  v.object({
    host: text('host', 253),
    port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535))),
    security: v.optional(
      v.pipe(
        v.picklist(['tls', 'starttls', 'none'], 'must be tls, starttls or none'),
        v.description('none sends messages and the password in plain text.'),
      ),
      'tls',
    ),
    username: v.optional(text('username', 320)),
    password: v.optional(text('password', 1024)),
    from: v.pipe(text('from', 254), v.regex(ADDRESS, 'must be an address such as pim@example.com')),
    timeoutSeconds,
  }),
  v.forward(
    v.check(
      ({ username, password }) => (username === undefined) === (password === undefined),
      'must be given together with the username',
    ),
    ['password'],
  ),
)
type MailConfig = v.InferOutput<typeof MailConfig>

const mail: Messenger<MailConfig> = {
  type: 'mail',
  title: 'Mail (SMTP)',
  config: MailConfig,
  keys: ['host', 'port', 'security', 'username', 'password', 'from', 'timeoutSeconds'],
  secrets: ['password'],

  place: (config) => ({
    hosts: { host: config.host },
    secretsGoTo: { host: config.host.toLowerCase(), port: portOf(config), security: config.security },
  }),

  async send(message, config, context) {
    const where = `${config.host}:${portOf(config)}`
    const socket = await connect(where, config, context)
    const end = (): void => void socket.destroy(context.signal.reason as Error)
    context.signal.addEventListener('abort', end, { once: true })
    try {
      const { createTransport } = await import('nodemailer')
      await createTransport(optionsOver(config, socket)).sendMail(letterOf(message, config))
    } catch (error) {
      context.signal.throwIfAborted()
      throw explain(where, error)
    } finally {
      context.signal.removeEventListener('abort', end)
      socket.destroy()
    }
  },
}

export default mail

type Socket = Awaited<ReturnType<MessengerContext['network']['connect']>>
/** @throws PermanentError for an address that may not be reached */
async function connect(where: string, config: MailConfig, { network, signal }: MessengerContext): Promise<Socket> {
  try {
    return await network.connect(config.host, portOf(config), signal)
  } catch (error) {
    signal.throwIfAborted()
    const { code } = error as MailFault
    if (code === undefined || error instanceof PermanentError) throw error
    throw new Error(`${where} cannot be reached (${code}); check host and port`, { cause: error })
  }
}

type GetSocketDone = (error: Error | null, options: { connection: Socket }) => void

function optionsOver(
  { host, security, username, password, timeoutSeconds: seconds = 60, ...rest }: MailConfig,
  socket: Socket,
) {
  const patience = seconds * 1000
  return {
    host,
    port: portOf({ security, ...rest }),
    getSocket: (_options: unknown, done: GetSocketDone) => done(null, { connection: socket }),
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(username === undefined ? {} : { auth: { user: username, pass: password } }),
    greetingTimeout: patience,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function portOf({ port, security }: Pick<MailConfig, 'port' | 'security'>): number {
  return port ?? PORTS[security]
}

function letterOf({ id, to, subject, text: plain, html, settingsUrl, createdAt }: Message, { from }: MailConfig) {
  return {
    from,
    to: { name: to.name, address: to.address },
    subject,
    text: plain,
    html,
    date: new Date(createdAt),
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(settingsUrl === null ? {} : { list: { unsubscribe: settingsUrl } }),
  }
}

interface MailFault {
  readonly code?: string
  readonly responseCode?: number
  readonly message?: string
}

/** Permanent: the server refuses the credentials or the message, or offers no secure connection. */
function explain(where: string, error: unknown): Error {
  const { code = '', responseCode, message = '' } = error as MailFault
  // A server without STARTTLS answers with a number, too.
  if (code === 'ETLS' || /certificate|self.signed|SSL routines/i.test(message))
    return new PermanentError(`${where}: no secure connection could be made; check security, port and certificate`)
  if (responseCode !== undefined) {
    const what = code === 'EAUTH' ? 'refused the username and password' : 'refused the message'
    const told = `${where} ${what} (SMTP ${responseCode})`
    return responseCode >= 500 ? new PermanentError(told) : new Error(told)
  }
  if (code === 'EENVELOPE') return new PermanentError(`${where}: the address of the person is not taken`)
  if (code === 'ENOAUTH' || code === 'EAUTH') return new PermanentError(`${where} offers no way to sign in`)
  return new Error(`${where}: ${code === 'ETIMEDOUT' ? 'the server did not answer in time' : 'the connection ended'}`)
}
