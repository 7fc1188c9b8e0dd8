// Delivers exports to Amazon S3 and to compatible stores. Contract 1 §2.9, 2 §6; docs/destinations/s3.md lists guarantees and
// rights.
import { PermanentError, type Destination, type ExportFile, type RunContext } from '../src/kernel/destination.ts'
import { configSchema, type S3Config } from './s3/config.ts'
import { asDeliveryError, statusOf } from './s3/errors.ts'
import { openStore, type Store } from './s3/store.ts'
import { removeUploads, settleUploads, type UploadWatch, watchUploads } from './s3/uploads.ts'
import { atPlace, untilAborted } from './shared/faults.ts'
import { deliverSeveral, isOfFiles } from './shared/several.ts'

interface Target {
  readonly Bucket: string
  readonly Key: string
}

/** Parts in flight × their size is the memory of a delivery. */
const PARTS_IN_FLIGHT = 3
const PART_BYTES = 8 * 1024 * 1024
/** Stores accept 10,000 parts; a larger file is sent in larger parts. */
const MAX_PARTS = 9000
/** A smaller body is sent before any server could refuse it. */
const ASKED_BYTES = 64 * 1024
const MAX_KEY_BYTES = 1024
/** Milliseconds to remove the parts of a failed or cancelled delivery; remaining parts are swept later. */
const CLEANUP_MS = 3000
const CANCELLED_CLEANUP_MS = 500

const s3: Destination<S3Config> = {
  type: 's3',
  title: 'Amazon S3 and compatible stores',
  config: configSchema,
  keys: Object.keys(configSchema.entries),
  secrets: ['secretAccessKey', 'sessionToken'],

  // Without an endpoint, the region decides the host.
  place({ endpoint, region }) {
    if (endpoint === undefined) return { secretsGoTo: { region } }
    const { hostname, origin } = new URL(endpoint)
    return { hosts: { endpoint: hostname }, secretsGoTo: { endpoint: origin } }
  },

  deliver: (file, config, context) =>
    withStore(config, context, async (store) => {
      const target = targetOf(config, file)
      if (file.size > ASKED_BYTES && file.size <= PART_BYTES) await assertAccepted(store, target)
      await write(store, file, target, PARTS_IN_FLIGHT)
      return { destinationPath: `s3://${target.Bucket}/${target.Key}` }
    }),

  deliverAll: (files, config, context) =>
    withStore(config, context, async (store, watch) => {
      let accepted: Promise<void> | undefined
      await deliverSeveral(files, context, async (file) => {
        const target = targetOf(config, file)
        // One question for all files: they go to the same bucket, with the same rights.
        accepted ??= assertAccepted(store, target)
        await accepted
        await write(store, file, target, 1)
        if (file.size > PART_BYTES) await settleUploads(store, watch, target.Key)
      })
    }),

  check: (config, context) =>
    withStore(config, context, (store) =>
      assertAccepted(store, { Bucket: config.bucket, Key: objectKey(config, `.pimlet-check-${context.runId}`) }),
    ),

  sweep: (config, context) => withStore(config, context, (store) => removeUploads(store, context.signal)),
}

export default s3

/**
 * Begins and aborts an upload: this needs the same rights as writing, and leaves nothing, not even an old version. It
 * precedes a larger body sent in one piece. A refusing store may close the connection during the body, and its reason would
 * be lost. An even larger file begins with an upload anyway.
 */
async function assertAccepted({ sdk, client }: Store, target: Target): Promise<void> {
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(target))
  if (UploadId === undefined) throw new PermanentError('the server began no upload: it does not speak S3')
  await client.send(new sdk.AbortMultipartUploadCommand({ ...target, UploadId }))
}

/** Buffers have a known length, so that checksums go into headers: many stores refuse aws-chunked trailers. */
async function upload(store: Store, file: ExportFile, target: Target, inFlight: number): Promise<void> {
  const { Upload } = await import('@aws-sdk/lib-storage')
  const body = file.open()
  try {
    await new Upload({
      client: store.client,
      params: { ...target, Body: body, ContentType: file.contentType },
      queueSize: inFlight,
      partSize: Math.max(PART_BYTES, Math.ceil(file.size / MAX_PARTS)),
      leavePartsOnError: false,
      abortController: store.stop,
    }).done()
  } finally {
    body.destroy()
  }
}

async function write(store: Store, file: ExportFile, target: Target, inFlight: number): Promise<void> {
  await upload(store, file, target, inFlight)
  await confirmSize(store, file, target)
}

async function confirmSize({ sdk, client }: Store, file: ExportFile, target: Target): Promise<void> {
  const head = await client.send(new sdk.HeadObjectCommand(target)).catch((error: unknown) => {
    if (statusOf(error) !== 403) throw error
    throw new PermanentError(
      'the file was written, but S3 does not show its size: the key needs the right s3:GetObject',
    )
  })
  if (head.ContentLength !== file.size) {
    throw new Error(`S3 holds ${head.ContentLength} bytes instead of ${file.size}`)
  }
}

/** Opens the store for `work`. After a fault it removes the sent parts and translates the fault. */
async function withStore<T>(
  config: S3Config,
  context: RunContext,
  work: (store: Store, watch: UploadWatch) => Promise<T>,
): Promise<T> {
  const { signal } = context
  const stop = new AbortController()
  const cancel = (): void => stop.abort()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const store = await untilAborted(signal, openStore(config, context, stop))
    const watch = watchUploads(store)
    try {
      const result = await work(store, watch)
      await settleUploads(store, watch)
      return result
    } catch (error) {
      const patience = Math.min(CLEANUP_MS, (config.timeoutSeconds ?? 60) * 1000)
      const limit = AbortSignal.timeout(signal.aborted ? CANCELLED_CLEANUP_MS : patience)
      // Remaining parts stay noted; the first fault is the one to report.
      await removeUploads(store, limit, watch.notes).catch(() => undefined)
      throw watch.fault ?? error
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw isOfFiles(error) ? error : atPlace(nameOf(config), asDeliveryError(error, config))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** The store, as messages name it. */
function nameOf({ bucket, endpoint, region }: S3Config): string {
  return `s3://${bucket} ${endpoint === undefined ? `in ${region}` : `at ${new URL(endpoint).origin}`}`
}

function targetOf(config: S3Config, { name }: ExportFile): Target {
  return { Bucket: config.bucket, Key: objectKey(config, name) }
}

function objectKey({ path }: S3Config, name: string): string {
  const key = path ? `${path}/${name}` : name
  if (Buffer.byteLength(key) <= MAX_KEY_BYTES) return key
  throw new PermanentError(`path and file name together are longer than ${MAX_KEY_BYTES} bytes`)
}
