// The client of a request: its server and credential.

export interface Client {
  /** `http://HOST:PORT`; for several servers of one workspace, each read returns the next server. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Servers on one workspace, by the address of each. */
const together = new Map<string, readonly string[]>()

/** Makes new clients of these servers send requests to all of them in turn. */
export function serveInTurn(urls: readonly string[]): void {
  for (const url of urls) together.set(url, urls)
}

/**
 * Fixes the client to one server, for anything that each server counts or stores itself. Among several, this is the
 * next in turn.
 */
export function atOneServer({ url, headers }: Client): Client {
  return { url, headers }
}

/** Returns a client; without a key, the client has no credential. */
export function keyClient(url: string, key?: string): Client {
  return clientOf(url, key === undefined ? {} : { 'x-service-apikey': key })
}

export function tokenClient(url: string, token: string): Client {
  return clientOf(url, { authorization: `Bearer ${token}` })
}

function clientOf(url: string, headers: Client['headers']): Client {
  const servers = together.get(url)
  if (servers === undefined) return { url, headers }
  let turn = 0
  return {
    get url() {
      turn += 1
      return servers[turn % servers.length]!
    },
    headers,
  }
}
