// Keeps bytes in an S3 bucket, by the client and the settings of the destination `s3`. Contract 4 §5.
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { Network, RunContext } from '../../kernel/destination.ts'
import { PimletError } from '../../kernel/errors.ts'
import { translateFileError } from '../../kernel/machine/whole-files.ts'
import s3 from '../../../plugins/s3.ts'
import type { S3Config } from '../../../plugins/s3/config.ts'
import { asDeliveryError, statusOf } from '../../../plugins/s3/errors.ts'
import { openStore, type Store } from '../../../plugins/s3/store.ts'
import { awayError, type ByteRange, type ContentStore, MissingContent, nameOf, SHA256 } from './content-store.ts'
import { withFetched } from './fetched-file.ts'

/** Larger content is sent in parts, as the destination sends them. */
const ONE_REQUEST = 8 * 1024 * 1024

interface S3StoreOptions {
  readonly config: S3Config
  readonly network: Network
  readonly arrivals: string
}

export function createS3Store({ config, network, arrivals }: S3StoreOptions): ContentStore {
  const place = `s3://${[config.bucket, config.path].filter(Boolean).join('/')}`
  const { Bucket, ...names } = { Bucket: config.bucket, ...namesBelow(config.path) }
  let opened: Promise<Store> | undefined

  /** Runs one request. @throws UNAVAILABLE, MissingContent */
  async function ask<Answer>(sha256: string | undefined, request: (store: Store) => Promise<Answer>): Promise<Answer> {
    try {
      opened ??= openStore(config, contextOf(network), new AbortController())
      return await request(await opened)
    } catch (error) {
      if (error instanceof PimletError || error instanceof MissingContent) throw error
      if (sha256 !== undefined && statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket')
        throw new MissingContent(sha256)
      // A client that cannot be made is made again for the next request.
      if (statusOf(error) === undefined) opened = undefined
      throw awayError(place, asDeliveryError(error, config).message, error)
    }
  }

  async function send(sha256: string, file: string, size: number): Promise<void> {
    if (size <= ONE_REQUEST) {
      const Body = await readFile(file).catch(translateFileError)
      const Key = names.keyOf(sha256)
      await ask(undefined, ({ sdk, client }) => client.send(new sdk.PutObjectCommand({ Bucket, Key, Body })))
      return
    }
    const open = (range?: ByteRange): Readable => createReadStream(file, range)
    const delivered = { name: sha256, path: file, size, sha256, contentType: 'application/octet-stream', open }
    await ask(undefined, () => s3.deliver(delivered, { ...config, path: names.folderOf(sha256) }, contextOf(network)))
  }

  async function open(sha256: string, range?: ByteRange): Promise<Readable> {
    const Range = range && `bytes=${range.start}-${range.end}`
    const found = await ask(sha256, ({ sdk, client }) =>
      client.send(new sdk.GetObjectCommand({ Bucket, Key: names.keyOf(sha256), ...(Range && { Range }) })),
    )
    return found.Body as Readable
  }

  return {
    place,
    arrivals,
    isShared: true,
    async prepare() {
      await mkdir(arrivals, { recursive: true, mode: 0o700 }).catch(translateFileError)
      await ask(undefined, () => s3.check!(config, contextOf(network)))
    },
    async keep(sha256, file) {
      const { size } = await stat(file).catch(translateFileError)
      await send(sha256, file, size)
      await rm(file, { force: true })
    },
    open,
    withFile: async (sha256, work) => withFetched({ arrivals, place }, await open(sha256), work),
    async sizeOf(sha256) {
      const head = ask(sha256, ({ sdk, client }) =>
        client.send(new sdk.HeadObjectCommand({ Bucket, Key: names.keyOf(sha256) })),
      )
      return head.then(({ ContentLength }) => ContentLength, absent)
    },
    async remove(sha256) {
      const Key = names.keyOf(sha256)
      await ask(sha256, ({ sdk, client }) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key }))).catch(absent)
    },
    async *list() {
      let ContinuationToken: string | undefined
      do {
        const asked = { Bucket, Prefix: names.prefix, ...(ContinuationToken && { ContinuationToken }) }
        const page = await ask(undefined, ({ sdk, client }) => client.send(new sdk.ListObjectsV2Command(asked)))
        for (const { Key } of page.Contents ?? []) {
          const sha256 = Key!.slice(-64)
          if (SHA256.test(sha256) && Key === names.keyOf(sha256)) yield sha256
        }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
  }
}

/** Names of content below the prefix of a store. */
export function namesBelow(path: string | undefined) {
  const prefix = path ? `${path}/` : ''
  return {
    prefix,
    keyOf: (sha256: string): string => prefix + nameOf(sha256),
    folderOf: (sha256: string): string => prefix + sha256.slice(0, 2),
  }
}

export function absent(error: unknown): undefined {
  if (!(error instanceof MissingContent)) throw error
}

/**
 * A context of the destination for requests that are no run. Nothing is noted, because a repeated upload removes remains of
 * the first.
 */
export function contextOf(network: Network): RunContext {
  return {
    jobId: 'files',
    runId: 'files',
    attempt: 1,
    signal: new AbortController().signal,
    network,
    leftovers: { list: async () => [], note: async () => undefined, forget: async () => undefined },
    log: () => undefined,
  }
}
