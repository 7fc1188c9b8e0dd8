// A real SMTP server for tests: keeps the mails that it accepted, and misbehaves on demand.
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Mail {
  readonly to: readonly string[]
  /** Headers by name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly raw: string
  /** The decoded plain part. */
  readonly text: string
  readonly html: string
}

export type MailBehaviour = 'good' | 'refuses' | 'busy' | 'hangs'

export interface MailSink {
  readonly port: number
  readonly mails: Mail[]
  /** Attempts to send, accepted or not. */
  attempts: number
  behaviour: MailBehaviour
  close(): Promise<void>
}

interface MailSinkOptions {
  readonly user?: string
  readonly password?: string
  readonly tls?: { readonly key: string; readonly cert: string; readonly isImplicit: boolean }
}

export async function startMailSink({ user, password, tls }: MailSinkOptions = {}): Promise<MailSink> {
  const sink: Omit<MailSink, 'port'> & { port: number } = {
    port: 0,
    mails: [],
    attempts: 0,
    behaviour: 'good',
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const server = new SMTPServer({
    ...(tls === undefined
      ? { disabledCommands: ['STARTTLS'] }
      : { key: tls.key, cert: tls.cert, secure: tls.isImplicit }),
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth(auth, _session, done) {
      if (auth.username === user && auth.password === password) done(null, { user: auth.username })
      else done(Object.assign(new Error(`wrong password ${auth.password}`), { responseCode: 535 }))
    },
    onData(stream, session, done) {
      sink.attempts += 1
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const code = { refuses: 550, busy: 451, good: undefined, hangs: undefined }[sink.behaviour]
        if (sink.behaviour === 'hangs') return
        if (code !== undefined) return done(Object.assign(new Error('no'), { responseCode: code }))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        sink.mails.push(readMail(Buffer.concat(chunks).toString(), to))
        done()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  sink.port = (server.server.address() as AddressInfo).port
  return sink
}

function readMail(raw: string, to: readonly string[]): Mail {
  const headers = headersOf(raw.slice(0, raw.indexOf('\r\n\r\n')))
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = raw.split(`--${boundary}`).slice(1).map(decodePart)
  const partOf = (type: string): string => parts.find((part) => part.type.startsWith(type))?.body ?? ''
  return { to, headers, raw, text: partOf('text/plain'), html: partOf('text/html') }
}

function headersOf(head: string): Map<string, string> {
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
}

function decodePart(part: string): { type: string; body: string } {
  const end = part.indexOf('\r\n\r\n')
  const headers = headersOf(part.slice(0, end).trim())
  const body = part.slice(end + 4)
  const encoding = headers.get('content-transfer-encoding')
  const type = headers.get('content-type') ?? ''
  if (encoding === 'base64') return { type, body: Buffer.from(body, 'base64').toString() }
  if (encoding !== 'quoted-printable') return { type, body }
  const joined = body.replaceAll('=\r\n', '')
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return { type, body: Buffer.from(bytes, 'latin1').toString() }
}
