// Keeps bytes in a container of Azure Blob Storage, by the client and the settings of the destination `azure-blob`.
// Contract 4 §5.
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import azureBlob, { openContainer } from '../../../plugins/azure-blob.ts'
import type { AzureConfig } from '../../../plugins/azure-blob/config.ts'
import { asDeliveryError, statusOf } from '../../../plugins/azure-blob/errors.ts'
import type { Network } from '../../kernel/destination.ts'
import { PimletError } from '../../kernel/errors.ts'
import { translateFileError } from '../../kernel/machine/whole-files.ts'
import { awayError, type ByteRange, type ContentStore, MissingContent, SHA256 } from './content-store.ts'
import { withFetched } from './fetched-file.ts'
import { absent, contextOf, namesBelow } from './s3-store.ts'

type Container = Awaited<ReturnType<typeof openContainer>>

interface AzureStoreOptions {
  readonly config: AzureConfig
  readonly network: Network
  readonly arrivals: string
}

export function createAzureStore({ config, network, arrivals }: AzureStoreOptions): ContentStore {
  const place = `azure-blob://${[config.container, config.path].filter(Boolean).join('/')}`
  const names = namesBelow(config.path)
  let opened: Promise<Container> | undefined

  /** Runs one request. @throws UNAVAILABLE, MissingContent */
  async function ask<Answer>(
    sha256: string | undefined,
    request: (container: Container) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      opened ??= openContainer(config, network)
      return await request(await opened)
    } catch (error) {
      if (error instanceof PimletError || error instanceof MissingContent) throw error
      if (sha256 !== undefined && statusOf(error) === 404 && (error as { code?: string }).code !== 'ContainerNotFound')
        throw new MissingContent(sha256)
      if (statusOf(error) === undefined) opened = undefined
      throw awayError(place, asDeliveryError(error, config).message, error)
    }
  }

  async function open(sha256: string, range?: ByteRange): Promise<Readable> {
    const [offset, count] = range === undefined ? [0, undefined] : [range.start, range.end - range.start + 1]
    const found = await ask(sha256, (container) =>
      container.getBlobClient(names.keyOf(sha256)).download(offset, count, { maxRetryRequests: 2 }),
    )
    return found.readableStreamBody as Readable
  }

  return {
    place,
    arrivals,
    isShared: true,
    async prepare() {
      await mkdir(arrivals, { recursive: true, mode: 0o700 }).catch(translateFileError)
      await ask(undefined, () => azureBlob.check!(config, contextOf(network)))
    },
    async keep(sha256, file) {
      const { size } = await stat(file).catch(translateFileError)
      const open = (range?: ByteRange): Readable => createReadStream(file, range)
      const delivered = { name: sha256, path: file, size, sha256, contentType: 'application/octet-stream', open }
      const target = { ...config, path: names.folderOf(sha256) }
      await ask(undefined, () => azureBlob.deliver(delivered, target, contextOf(network)))
      await rm(file, { force: true })
    },
    open,
    withFile: async (sha256, work) => withFetched({ arrivals, place }, await open(sha256), work),
    async sizeOf(sha256) {
      const properties = ask(sha256, (container) => container.getBlobClient(names.keyOf(sha256)).getProperties())
      return properties.then(({ contentLength }) => contentLength, absent)
    },
    async remove(sha256) {
      await ask(sha256, (container) => container.getBlobClient(names.keyOf(sha256)).delete()).catch(absent)
    },
    async *list() {
      let continuationToken: string | undefined
      do {
        const page = await ask(undefined, async (container) => {
          const pages = container.listBlobsFlat({ prefix: names.prefix })
          return (await pages.byPage({ continuationToken, maxPageSize: 1000 }).next()).value
        })
        for (const { name } of page?.segment.blobItems ?? []) {
          const sha256 = name.slice(-64)
          if (SHA256.test(sha256) && name === names.keyOf(sha256)) yield sha256
        }
        continuationToken = page?.continuationToken || undefined
      } while (continuationToken !== undefined)
    },
  }
}
