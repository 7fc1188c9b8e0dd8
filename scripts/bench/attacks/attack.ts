// An attack: one client that uses anything within its reach to stop other clients.
import { API_KEY } from '../processes.ts'

export interface Target {
  readonly port: number
  /** Process ID of the server. */
  readonly pid: number
  /** Key of a caller with all permissions. */
  readonly adminKey: string
  /** Sends a JSON request of the admin. @throws where the response is not 2xx */
  send<Body>(method: string, path: string, body?: unknown): Promise<Body>
}

export interface Attack {
  readonly name: string
  /** Most milliseconds that other clients may wait. */
  readonly longestWait: number
  /** Most bytes that the server may grow, if less than for other attacks. */
  readonly mostMemory?: number
  /** Prepares the attack; not measured. */
  prepare?(target: Target): Promise<void>
  /** Ends by itself within a minute. Resolves to the attacker's result, in a few words. */
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
