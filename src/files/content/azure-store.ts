// Keeps bytes in a container of Azure Blob Storage, by the client and the settings of the destination `azure-blob`.
// Contract 4 §5.
import type { Readable } from 'node:stream'
import azureBlob, { openContainer } from '../../../plugins/azure-blob.ts'
import type { AzureConfig } from '../../../plugins/azure-blob/config.ts'
import { asDeliveryError, statusOf } from '../../../plugins/azure-blob/errors.ts'
import type { ContentStore } from './content-store.ts'
import { contextOf, createObjectStore, type ObjectProvider, type ObjectStoreOptions } from './object-store.ts'

type Container = Awaited<ReturnType<typeof openContainer>>

export function createAzureStore({ config, network, arrivals }: ObjectStoreOptions<AzureConfig>): ContentStore {
  const { container: name, path } = config
  const provider: ObjectProvider<Container> = {
    place: `azure-blob://${[name, path].filter(Boolean).join('/')}`,
    path,
    connect: () => openContainer(config, network),
    check: () => azureBlob.check!(config, contextOf(network)),
    put: (_container, folder, file) => azureBlob.deliver(file, { ...config, path: folder }, contextOf(network)),
    async get(container, blob, range) {
      const [offset, count] = range === undefined ? [0, undefined] : [range.start, range.end - range.start + 1]
      const found = await container.getBlobClient(blob).download(offset, count, { maxRetryRequests: 2 })
      return found.readableStreamBody as Readable
    },
    async sizeOf(container, blob) {
      return (await container.getBlobClient(blob).getProperties()).contentLength
    },
    remove: (container, blob) => container.getBlobClient(blob).delete(),
    async list(container, prefix, continuationToken) {
      const pages = container.listBlobsFlat({ prefix }).byPage({ continuationToken, maxPageSize: 1000 })
      const page = (await pages.next()).value
      const blobs: readonly { readonly name: string }[] = page?.segment.blobItems ?? []
      return { names: blobs.map((blob) => blob.name), next: page?.continuationToken || undefined }
    },
    faultOf: (error) => ({
      status: statusOf(error),
      isWithoutPlace: (error as { code?: string }).code === 'ContainerNotFound',
      message: asDeliveryError(error, config).message,
    }),
  }
  return createObjectStore(provider, arrivals)
}
