// What an attack is: one client that does what it may, or at least can, in order to stop the others.
import { API_KEY } from '../processes.ts'

export interface Target {
  readonly port: number
  /** Of the server's process. */
  readonly pid: number
  /** Of a caller who may do everything. */
  readonly adminKey: string
  /** A JSON request of the admin. @throws where the answer is no 2xx */
  send<Body>(method: string, path: string, body?: unknown): Promise<Body>
}

export interface Attack {
  readonly name: string
  /** Milliseconds that nobody else may wait longer than. */
  readonly longestWait: number
  /** Bytes that the server may take more meanwhile, where it is less than for other attacks. */
  readonly mostMemory?: number
  /** What must be there before it begins; not measured. */
  prepare?(target: Target): Promise<void>
  /** Ends by itself within a minute. Resolves to what the attacker got for it, in a few words. */
  run(target: Target): Promise<string>
}

export function openTarget({ port, pid }: { readonly port: number; readonly pid: number }): Target {
  return {
    port,
    pid,
    adminKey: API_KEY,
    async send(method, path, body) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { 'x-service-apikey': API_KEY, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return (text === '' ? undefined : JSON.parse(text)) as never
    },
  }
}
