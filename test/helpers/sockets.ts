// Sends raw bytes, for requests that no client library would send.
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Sends `text` and resolves to everything that came back when the server closed the connection. */
export function exchange(port: number, text: string | Buffer, timeout = 60_000): Promise<string> {
  return collect(
    connect(port, '127.0.0.1', function write(this: Socket) {
      this.write(text)
    }),
    timeout,
  )
}

/** Collects everything that the server sends until it closes the connection; rejects after the timeout. */
export function collect(socket: Socket, timeout = 60_000): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`the server left the connection open; it sent: ${received}`))
    }, timeout)
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      received += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(received)
    })
  })
}

/** Sends one request with `Connection: close`. */
export async function request(port: number, head: string, body: string | Buffer = ''): Promise<RawAnswer> {
  const length = Buffer.byteLength(body)
  const lines = head
    .trim()
    .split('\n')
    .map((line) => line.trim())
  const all = [...lines, 'Connection: close', ...(length > 0 ? [`Content-Length: ${length}`] : [])]
  return parseAnswer(
    await exchange(port, Buffer.concat([Buffer.from(`${all.join('\r\n')}\r\n\r\n`), Buffer.from(body)])),
  )
}

export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body: text.slice(end + 4) }
}
