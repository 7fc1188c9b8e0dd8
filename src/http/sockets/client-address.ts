// The client's address: the socket's, or what a trusted reverse proxy says of it. Failed logins are counted by it.
import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'
import { isAmong } from '../../kernel/settings/networks.ts'

/** The rightmost address of X-Forwarded-For that no trusted proxy has, as long as trusted proxies wrote it. */
export function clientAddress(request: IncomingMessage, trusted: BlockList | undefined): string {
  let address = request.socket.remoteAddress ?? ''
  if (trusted === undefined) return address
  const forwarded = request.headers['x-forwarded-for']
  const hops = typeof forwarded === 'string' ? forwarded.split(',').map((hop) => hop.trim()) : []
  while (isAmong(trusted, address)) {
    const hop = hops.pop()
    if (hop === undefined || isIP(hop) === 0) break
    address = hop
  }
  return address
}
