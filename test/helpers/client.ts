// Who sends a request: where to, and with which credential.

export interface Client {
  /** `http://HOST:PORT` */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Without a key: a client without a credential. */
export function keyClient(url: string, key?: string): Client {
  return { url, headers: key === undefined ? {} : { 'x-service-apikey': key } }
}

export function tokenClient(url: string, token: string): Client {
  return { url, headers: { authorization: `Bearer ${token}` } }
}
