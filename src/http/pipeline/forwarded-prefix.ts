// The prefix of this server's paths: the base path of the settings, after the part that trusted proxies have removed.
// Contract 3 §12.
import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { notFound } from '../../kernel/errors.ts'
import { isBasePath } from '../../kernel/input/validation.ts'
import { isAmong } from '../../kernel/settings/networks.ts'

/** Containers and load balancers check health without the proxy: this path answers with and without the base path. */
export const HEALTH = '/healthz'

export class BasePath {
  readonly isEmpty: boolean
  /** Request targets of the health check. */
  readonly healthTargets: ReadonlySet<string | undefined>
  readonly #base: string
  readonly #trusted: BlockList | undefined

  /** @param base for example `/pim`; '' for none */
  constructor(base: string, trusted: BlockList | undefined) {
    this.#base = base
    this.isEmpty = base === ''
    this.healthTargets = new Set([HEALTH, base + HEALTH])
    this.#trusted = trusted
  }

  /** The path without the base path. @throws NOT_FOUND for a path that does not begin with the base path */
  below(path: string): string {
    const base = this.#base
    if (base === '' || path === HEALTH) return path
    if (path === base) return '/'
    if (path.startsWith(base) && path[base.length] === '/') return path.slice(base.length)
    throw notFound('Path', path, `all paths of this server begin with ${base}`)
  }

  /**
   * The prefix that clients write before a path, for example `/pim`: the part that trusted proxies have removed, then the
   * base path.
   */
  before(request: IncomingMessage): string {
    const forwarded = request.headers['x-forwarded-prefix']
    if (typeof forwarded !== 'string' || this.#trusted === undefined) return this.#base
    const isTrusted = isAmong(this.#trusted, request.socket.remoteAddress ?? '')
    return isTrusted ? readForwarded(forwarded) + this.#base : this.#base
  }
}

/** Each proxy on the way adds the part of the path that it has cut off. '' if a part is no path. */
function readForwarded(header: string): string {
  const parts = header.split(',').map((part) => part.trim().replace(/\/$/, ''))
  const prefix = parts.join('')
  return isBasePath(prefix) ? prefix : ''
}
