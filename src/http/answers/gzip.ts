// Large JSON is compressed for distant clients that ask for it: in the thread pool, piece by piece, and few pieces at a time, since the
// disk is synced by the same threads. Contract 3 §7.
import { promisify } from 'node:util'
import { constants, createGzip, type Gzip, gzip } from 'node:zlib'
import { Gate, type Leave } from '../../kernel/gate.ts'
import { isAmong, parseNetworks } from '../../kernel/settings/networks.ts'

/** Bytes up to which packing takes longer than it saves. */
export const MIN_PACKED = 16_384
/** Loopback, link-local and private networks: there, packing takes longer than sending the plain text. */
const NEAR = parseNetworks(
  '127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 ::1 fc00::/7 fe80::/10'.split(' '),
)
/** Large answers and streams that are packed at the same time: each takes some 300 KB. Others are sent as they are. */
const MAX_STREAMS = 64
/** Pieces in the thread pool at once, of its four threads. */
const MAX_PIECES = 2
/** The sixth part of the time that the best takes, for a tenth more bytes. */
const OPTIONS = { level: 3 }

const pack = promisify(gzip)

/** Whether the client's address, as trusted proxies report it, is in such a network. */
export function isNear(address: string): boolean {
  return isAmong(NEAR, address)
}

/** Whether Accept-Encoding prefers gzip to plain text. RFC 9110 §12.5.3. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return header === 'gzip' || bestCoding(header, ['gzip']) === 'gzip'
}

/** How a file of the pages may be packed, as Content-Encoding names it. */
export type Coding = 'br' | 'gzip'

/** The coding that the header prefers, the first of equal ones; undefined: plain text. */
export function bestCoding<One extends Coding>(
  header: string | string[] | undefined,
  codings: readonly One[],
): One | undefined {
  if (header === undefined) return undefined
  const text = Array.isArray(header) ? header.join(',') : header
  const qualities = new Map(text.split(',', MAX_CODINGS).map(readCoding))
  const qualityOf = (name: string): number =>
    qualities.get(name) ?? qualities.get(`x-${name}`) ?? qualities.get('*') ?? 0
  const best = codings.toSorted((one, other) => qualityOf(other) - qualityOf(one))[0]
  if (best === undefined || qualityOf(best) === 0) return undefined
  return qualityOf(best) >= (qualities.get('identity') ?? 0) ? best : undefined
}

const MAX_CODINGS = 20

function readCoding(text: string): readonly [name: string, quality: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return [name, quality >= 0 && quality <= 1 ? quality : 0]
}

const GZIP_TAG = /-gzip"$/

/** A packed answer is another representation with another ETag: `"7"` → `"7-gzip"`. */
export function tagOfPacked(etag: string): string {
  return etag.replace(/"$/, '-gzip"')
}

/** The same for both representations. */
export function plainTag(etag: string): string {
  return etag.replace(GZIP_TAG, '"')
}

const pieces = new Gate({ size: MAX_PIECES })
const streams = new Gate({ size: MAX_STREAMS })

/** Packs a small text in one piece. */
export function packWhole(text: string): Promise<Buffer> {
  return pieces.run(() => pack(text, OPTIONS))
}

/** Packs a large or growing answer piece by piece. Each method resolves to the next bytes to send, which may be none. */
export class Packing {
  readonly #gzip: Gzip = createGzip(OPTIONS)
  #ready: Buffer[] = []
  #leave: Leave | undefined

  /** Undefined where too many run: the answer is then sent as it is. The caller calls `close`. */
  static begin(): Packing | undefined {
    const leave = streams.tryEnter()
    return leave && new Packing(leave)
  }

  private constructor(leave: Leave) {
    this.#leave = leave
    this.#gzip.on('data', (bytes: Buffer) => this.#ready.push(bytes))
  }

  async add(bytes: Buffer): Promise<Buffer> {
    await pieces.run(() => promisify((done: (error?: Error | null) => void) => this.#gzip.write(bytes, done))())
    return this.#take()
  }

  /** Returns all added bytes packed, so that a client can read them before the next bytes. */
  async flush(): Promise<Buffer> {
    await pieces.run(() => promisify((done: () => void) => this.#gzip.flush(constants.Z_SYNC_FLUSH, done))())
    return this.#take()
  }

  async end(): Promise<Buffer> {
    await pieces.run(async () => {
      const ended = Promise.withResolvers<void>()
      this.#gzip.once('end', ended.resolve).once('error', ended.reject)
      this.#gzip.end()
      await ended.promise
    })
    return this.#take()
  }

  close(): void {
    this.#leave?.()
    this.#leave = undefined
    this.#gzip.destroy()
  }

  #take(): Buffer {
    const ready = this.#ready
    this.#ready = []
    return ready.length === 1 ? ready[0]! : Buffer.concat(ready)
  }
}
