// Who sends a request: where to, and with which credential.

export interface Client {
  /** `http://HOST:PORT`; of several servers on one workspace that of the next one, each time it is asked. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Servers on one workspace, by the address of each. */
const together = new Map<string, readonly string[]>()

/** From now on whoever is made a client of one of these servers asks all of them in turn. */
export function serveInTurn(urls: readonly string[]): void {
  for (const url of urls) together.set(url, urls)
}

/** For what each server counts or keeps by itself: of several in turn, the one that would be asked next. */
export function atOneServer({ url, headers }: Client): Client {
  return { url, headers }
}

/** Without a key: a client without a credential. */
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
