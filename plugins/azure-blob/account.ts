// Resolves the container, its address and its credentials: brings the three kinds of credentials to one form. Pure, so
// that a job is checked when it is saved.

export interface Credentials {
  readonly connectionString?: string | undefined
  readonly accountName?: string | undefined
  readonly accountKey?: string | undefined
  readonly sasUrl?: string | undefined
  readonly endpoint?: string | undefined
}

interface ContainerAddress {
  /** The address without a query. */
  readonly url: string
  /** A shared key, or the query of a shared access signature. */
  readonly access: { readonly accountName: string; readonly accountKey: string } | { readonly sas: string }
}

/** An unusable credential; `field` is the one to correct. The message never quotes the credential. */
export class CredentialFault extends Error {
  readonly field: keyof Credentials

  constructor(field: keyof Credentials, message: string) {
    super(message)
    this.field = field
  }
}

/** @throws CredentialFault */
export function resolveContainer(config: Credentials & { readonly container: string }): ContainerAddress {
  assertOneKind(config)
  const { connectionString, accountName, accountKey, sasUrl, container } = config
  if (sasUrl) return fromSasUrl(sasUrl, container)
  if (connectionString) return fromConnectionString(connectionString, container)
  return {
    url: append(serviceUrl('endpoint', config.endpoint ?? `https://${accountName}.blob.core.windows.net`), container),
    access: { accountName: accountName ?? '', accountKey: assertKey('accountKey', accountKey) },
  }
}

function assertOneKind({ connectionString, accountName, accountKey, sasUrl, endpoint }: Credentials): void {
  const kinds = [connectionString, accountName ?? accountKey, sasUrl].filter((value) => value !== undefined)
  if (kinds.length !== 1) {
    throw new CredentialFault(
      'connectionString',
      'give one of connectionString, accountName with accountKey, or sasUrl',
    )
  }
  if (accountName !== undefined && accountKey === undefined) {
    throw new CredentialFault('accountKey', 'accountKey is required with accountName')
  }
  if (accountKey !== undefined && accountName === undefined) {
    throw new CredentialFault('accountName', 'accountName is required with accountKey')
  }
  if (endpoint !== undefined && accountName === undefined) {
    throw new CredentialFault('endpoint', 'endpoint goes with accountName and accountKey only')
  }
}

function fromSasUrl(sasUrl: string, container: string): ContainerAddress {
  const field = 'sasUrl'
  const url = assertUrl(field, sasUrl)
  if (!url.searchParams.has('sig')) throw new CredentialFault(field, 'sasUrl has no signature (sig)')
  const scope = url.searchParams.get('sr')
  if (scope === 'b') {
    throw new CredentialFault(field, 'sasUrl is for a single blob; it must be for the container or the account')
  }
  const sas = url.search.slice(1)
  url.search = ''
  const path = url.pathname.replace(/\/+$/, '')
  // A signature for the container may name the container in its path; a signature for the account does not.
  const named = path.split('/').at(-1) === container
  if (scope === 'c' && !named) {
    throw new CredentialFault(field, 'sasUrl is for another container than container says')
  }
  return { url: named ? `${url.origin}${path}` : append(`${url.origin}${path}`, container), access: { sas } }
}

function fromConnectionString(text: string, container: string): ContainerAddress {
  const field = 'connectionString'
  const parts = new Map<string, string>()
  for (const part of text.split(';')) {
    const at = part.indexOf('=')
    if (at > 0) parts.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim())
  }
  const accountName = parts.get('accountname')
  const protocol = parts.get('defaultendpointsprotocol') ?? 'https'
  const suffix = parts.get('endpointsuffix') ?? 'core.windows.net'
  const derived = accountName && `${protocol}://${accountName}.blob.${suffix}`
  const endpoint = parts.get('blobendpoint') ?? derived
  if (!endpoint) throw new CredentialFault(field, 'connectionString has neither AccountName nor BlobEndpoint')
  const url = append(serviceUrl(field, endpoint), container)
  const sas = parts.get('sharedaccesssignature')?.replace(/^\?/, '')
  if (sas) return { url, access: { sas } }
  if (!accountName) throw new CredentialFault(field, 'connectionString has no AccountName')
  return { url, access: { accountName, accountKey: assertKey(field, parts.get('accountkey')) } }
}

function assertKey(field: keyof Credentials, key: string | undefined): string {
  if (key && key.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(key)) return key
  throw new CredentialFault(field, `${field} has no account key in base64`)
}

function serviceUrl(field: keyof Credentials, text: string): string {
  const url = assertUrl(field, text)
  if (url.search || url.hash) throw new CredentialFault(field, `${field} must be a URL without query and fragment`)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function assertUrl(field: keyof Credentials, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url
  throw new CredentialFault(field, `${field} must be an http or https URL without user and password`)
}

const append = (base: string, segment: string): string => `${base}/${encodeURIComponent(segment)}`
