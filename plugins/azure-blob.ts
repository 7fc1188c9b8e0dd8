// Delivers exports to Azure Blob Storage. Contract 1 §2.9, 2 §6; docs/destinations/azure-blob.md lists guarantees and rights.
// The SDK is loaded with the first delivery, not at the start.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BlockBlobClient, ContainerClient } from '@azure/storage-blob'
import {
  PermanentError,
  type Destination,
  type ExportFile,
  type Network,
  type RunContext,
} from '../src/kernel/destination.ts'
import { resolveContainer } from './azure-blob/account.ts'
import { configSchema, type AzureConfig } from './azure-blob/config.ts'
import { asDeliveryError, statusOf } from './azure-blob/errors.ts'
import { makeHttpClient } from './azure-blob/http-client.ts'
import { atPlace, untilAborted } from './shared/faults.ts'
import { deliverSeveral, isOfFiles } from './shared/several.ts'

/** Blocks in flight × their size is the memory of a delivery. */
const BLOCKS_IN_FLIGHT = 4
const BLOCK_BYTES = 4 * 1024 * 1024
/** Azure accepts 50,000 blocks; a larger file is sent in larger blocks. */
const MAX_BLOCKS = 45_000
const MAX_NAME_CHARACTERS = 1024
/** An ETag of no blob: a write with this condition is refused only if everything else is in order. */
const IMPOSSIBLE_ETAG = '"0x0"'

const azureBlob: Destination<AzureConfig> = {
  type: 'azure-blob',
  title: 'Azure Blob Storage',
  config: configSchema,
  keys: Object.keys(configSchema.entries),
  secrets: ['connectionString', 'accountKey', 'sasUrl'],

  place(config) {
    const { hostname, origin } = new URL(resolveContainer(config).url)
    const secret = (['connectionString', 'sasUrl'] as const).find((kind) => config[kind] !== undefined)
    const key = secret ?? (config.endpoint === undefined ? 'accountName' : 'endpoint')
    return {
      hosts: { [key]: hostname },
      secretsGoTo: { accountName: config.accountName, [secret ?? 'endpoint']: origin },
    }
  },

  deliver: (file, config, context) =>
    withSession(config, context, async (session) => {
      await assertAccepted(session, session.container.getBlockBlobClient(blobName(config, file.name)))
      return { destinationPath: await write(session, file, config, BLOCKS_IN_FLIGHT) }
    }),

  deliverAll: (files, config, context) =>
    withSession(config, context, async (session) => {
      let accepted: Promise<void> | undefined
      await deliverSeveral(files, context, async (file) => {
        // One question for all files: they go to the same container, with the same rights.
        accepted ??= assertAccepted(session, session.container.getBlockBlobClient(blobName(config, file.name)))
        await accepted
        await write(session, file, config, 1).catch(session.fail)
      })
    }),

  // Writes to an unused name with a condition that must fail. This proves the right to write, and leaves nothing.
  check: (config, context) =>
    withSession(config, context, async (session) => {
      const blob = session.container.getBlockBlobClient(blobName(config, `.pimlet-check-${context.runId}`))
      await assertAccepted(session, blob)
      await expectStatus(404, blob.getProperties({ abortSignal: session.limit() })).catch(explainForbidden)
    }),
}

export default azureBlob

interface Session {
  readonly container: ContainerClient
  readonly context: RunContext
  /** Ends all requests with the first fault, which is the one that the delivery throws. */
  readonly fail: (error: unknown) => never
  /** Returns a signal for one request: it ends with the run, with the first fault, and with a limit on its total time. */
  limit(): AbortSignal
}

/** Opens the container for `work`, and translates its faults. */
async function withSession<T>(config: AzureConfig, context: RunContext, work: (session: Session) => Promise<T>) {
  const { signal } = context
  const stop = new AbortController()
  const cancel = (): void => stop.abort()
  signal.addEventListener('abort', cancel, { once: true })
  let first: { readonly error: unknown } | undefined
  const fail = (error: unknown): never => {
    first ??= { error }
    stop.abort()
    throw error
  }
  try {
    const container = await untilAborted(signal, openContainer(config, context.network))
    const limit = (): AbortSignal => AbortSignal.any([stop.signal, AbortSignal.timeout(10 * idleTime(config))])
    return await work({ container, context, fail, limit })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const fault = first?.error ?? error
    throw isOfFiles(fault) ? fault : atPlace(resolveContainer(config).url, asDeliveryError(fault, config))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const idleTime = ({ timeoutSeconds }: AzureConfig): number => (timeoutSeconds ?? 60) * 1000

/** @throws PermanentError for an address that may not be reached */
export async function openContainer(config: AzureConfig, network: Network): Promise<ContainerClient> {
  const { url, access } = resolveContainer(config)
  await network.assertAllowed(new URL(url).hostname)
  const sdk = await import('@azure/storage-blob')
  const credential =
    'sas' in access
      ? new sdk.AnonymousCredential()
      : new sdk.StorageSharedKeyCredential(access.accountName, access.accountKey)
  const pipeline = sdk.newPipeline(credential, {
    httpClient: makeHttpClient({
      network,
      idleMs: idleTime(config),
      failure: (message, code) => new sdk.RestError(message, { code }),
    }),
    // The runner retries. One retry here keeps a stale connection from costing a whole upload.
    retryOptions: { maxTries: 2, retryDelayInMs: 200, maxRetryDelayInMs: 1000 },
  })
  return new sdk.ContainerClient('sas' in access ? `${url}?${access.sas}` : url, pipeline)
}

/**
 * Sends a write that cannot succeed: it proves the right to write, and changes nothing. It precedes a large block,
 * because a refusing server may close the connection during the block, and its reason would be lost.
 */
async function assertAccepted(session: Session, blob: BlockBlobClient): Promise<void> {
  const conditions = { ifMatch: IMPOSSIBLE_ETAG }
  await expectStatus(412, blob.upload('', 0, { conditions, abortSignal: session.limit() }))
}

/**
 * Blocks are invisible until they are committed together; blocks of a failed attempt expire.
 * @returns the address
 */
async function write(session: Session, file: ExportFile, config: AzureConfig, inFlight: number): Promise<string> {
  const blob = session.container.getBlockBlobClient(blobName(config, file.name))
  const ids = await stageBlocks(session, blob, file, inFlight)
  await blob.commitBlockList(ids, {
    blobHTTPHeaders: { blobContentType: file.contentType },
    abortSignal: session.limit(),
  })
  await confirmSize(session, blob, file)
  return withoutQuery(blob.url)
}

/**
 * Sends the file in blocks, several at a time; returns their IDs in the order of the file. The first fault ends all
 * requests.
 */
async function stageBlocks(session: Session, blob: BlockBlobClient, file: ExportFile, most: number): Promise<string[]> {
  const { runId, attempt } = session.context
  const run = createHash('sha256').update(`${runId}/${attempt}`).digest('hex').slice(0, 24)
  const ids: string[] = []
  const faults: unknown[] = []
  const inFlight = new Set<Promise<void>>()
  let bytes = 0
  const size = Math.max(BLOCK_BYTES, Math.ceil(file.size / MAX_BLOCKS))
  for await (const block of cut(file.open(), size, file.size)) {
    // Azure requires IDs of equal length; these are unique to the attempt.
    const id = Buffer.from(`${run}-${String(ids.length).padStart(6, '0')}`).toString('base64')
    ids.push(id)
    bytes += block.length
    const sending = stageBlock(session, blob, id, block)
      .catch(session.fail)
      .catch((error: unknown) => void faults.push(error))
      .finally(() => inFlight.delete(sending))
    inFlight.add(sending)
    if (inFlight.size === most) await Promise.race(inFlight)
    if (faults.length > 0) break
  }
  await Promise.all(inFlight)
  if (faults.length > 0) throw faults[0]
  if (bytes !== file.size) throw new Error(`the export file has ${bytes} bytes instead of ${file.size}`)
  return ids
}

async function stageBlock(session: Session, blob: BlockBlobClient, id: string, block: Buffer): Promise<void> {
  const transactionalContentMD5 = createHash('md5').update(block).digest()
  await blob.stageBlock(id, block, block.length, { abortSignal: session.limit(), transactionalContentMD5 })
}

/** Yields pieces of `size` bytes, the last one shorter, each in its own buffer. `total`: bytes that the stream should have. */
async function* cut(stream: Readable, size: number, total: number): AsyncGenerator<Buffer> {
  let left = total
  let piece: Buffer | undefined
  let filled = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length;) {
      // A stream that is longer than announced ends in further pieces, which the caller counts.
      piece ??= Buffer.allocUnsafeSlow(left > 0 ? Math.min(size, left) : size)
      const copied = chunk.copy(piece, filled, at)
      at += copied
      filled += copied
      if (filled < piece.length) continue
      yield piece
      left -= filled
      filled = 0
      piece = undefined
    }
  }
  if (piece !== undefined) yield piece.subarray(0, filled)
}

async function confirmSize(session: Session, blob: BlockBlobClient, file: ExportFile): Promise<void> {
  const { contentLength } = await blob.getProperties({ abortSignal: session.limit() }).catch(explainForbidden)
  if (contentLength === file.size) return
  throw new Error(`Azure holds ${contentLength} bytes instead of ${file.size}`)
}

function explainForbidden(error: unknown): never {
  if (statusOf(error) !== 403) throw error
  throw new PermanentError('Azure does not show the size of a written file: the credentials need the right to read')
}

async function expectStatus(status: number, request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (statusOf(error) === status) return
    throw error
  }
  throw new PermanentError('the server accepts a request that Azure refuses: it is not Azure Blob Storage')
}

function blobName({ path }: AzureConfig, name: string): string {
  const whole = path ? `${path}/${name}` : name
  if (whole.length <= MAX_NAME_CHARACTERS) return whole
  throw new PermanentError(`path and file name together are longer than ${MAX_NAME_CHARACTERS} characters`)
}

const withoutQuery = (url: string): string => url.slice(0, url.indexOf('?') >>> 0)
