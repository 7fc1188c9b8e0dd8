// Answers with bytes that a client may ask for in part, and that no browser runs. Contract 4 §1, 4 §3.
import { PimletError } from '../../kernel/errors.ts'
import type { RequestInfo } from '../route.ts'
import { isNotModified } from '../pipeline/preconditions.ts'
import { readRange } from './byte-ranges.ts'
import { ByteStream, formatEtag, reply } from './replies.ts'

interface Bytes {
  /** Bytes. */
  readonly size: number
  readonly mediaType: string
  readonly fileName: string
  /** A name of the content; other content has another name. */
  readonly etag: string
  readonly open: (range?: { readonly start: number; readonly end: number }) => Promise<AsyncIterable<Uint8Array>>
}

interface Sending {
  /** Whether a browser is asked to save the bytes in place of showing them. */
  readonly isDownload: boolean
  readonly cacheControl: string
}

/** Media types that a browser shows without running anything. Everything else is saved. */
const SHOWN = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'])

/** @throws RANGE_NOT_SATISFIABLE where no byte of the range is there; errors of `open` */
export async function bytesReply(bytes: Bytes, request: RequestInfo, { isDownload, cacheControl }: Sending) {
  const { size, mediaType, fileName, etag, open } = bytes
  // Conditions come before ranges, and a range is for GET alone.
  const isBare = request.isHead || isNotModified(request.ifNoneMatch, formatEtag(etag))
  const isWhole = isBare || (request.ifRange !== undefined && request.ifRange !== formatEtag(etag))
  const range = isWhole ? undefined : readRange(request.range, size)
  if (range === 'none') throw new PimletError('RANGE_NOT_SATISFIABLE', `The file has ${size} bytes`, { size })
  const disposition = isDownload || !SHOWN.has(mediaType) ? 'attachment' : 'inline'
  const headers = {
    'Accept-Ranges': 'bytes',
    'Content-Length': String(range === undefined ? size : range.end - range.start + 1),
    ...(range === undefined ? {} : { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }),
    'Content-Disposition': `${disposition}; ${nameParameters(fileName)}`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
  // Errors must come before the first byte; an answer without a body opens nothing.
  const chunks = isBare ? none() : await open(range)
  const options = { etag, cacheControl, headers }
  const body = new ByteStream(chunks, mediaType)
  return range === undefined ? reply(body, { ...options, status: 200 }) : reply(body, { ...options, status: 206 })
}

async function* none(): AsyncGenerator<Uint8Array> {}

/** The name for all clients, and in its own letters for clients that read RFC 8187. */
function nameParameters(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return plain === fileName ? `filename="${plain}"` : `filename="${plain}"; filename*=UTF-8''${encoded}`
}
