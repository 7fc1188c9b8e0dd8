// Keeps bytes in a container of Azure Blob Storage, by the client and the settings of the destination `azure-blob`.
import type { Readable } from 'node:stream'
import azureBlob, { openContainer } from '../../../plugins/azure-blob.ts'
import type { AzureConfig } from '../../../plugins/azure-blob/config.ts'
import { asDeliveryError, statusOf } from '../../../plugins/azure-blob/errors.ts'
import type { ContentStore } from './content-store.ts'
import { createRemoteStore, type RemoteOptions } from './remote-store.ts'

type Container = Awaited<ReturnType<typeof openContainer>>

export function createAzureStore(options: RemoteOptions<AzureConfig>): ContentStore {
  const { config } = options
  return createRemoteStore<AzureConfig, Container>(
    {
      name: config.container,
      destination: azureBlob,
      connect: ({ network }) => openContainer(config, network),
      statusOf,
      isAboutContent: (error) => (error as { code?: string }).code !== 'ContainerNotFound',
      describe: (error) => asDeliveryError(error, config).message,
      async open(container, key, range) {
        const [offset, count] = range === undefined ? [0, undefined] : [range.start, range.end - range.start + 1]
        const found = await container.getBlobClient(key).download(offset, count, { maxRetryRequests: 2 })
        return found.readableStreamBody as Readable
      },
      async sizeOf(container, key) {
        return (await container.getBlobClient(key).getProperties()).contentLength
      },
      remove: (container, key) => container.getBlobClient(key).delete(),
      async page(container, prefix, continuationToken) {
        const pages = container.listBlobsFlat({ prefix }).byPage({ continuationToken, maxPageSize: 1000 })
        const { value } = await pages.next()
        const blobs: { name: string }[] = value?.segment.blobItems ?? []
        return { keys: blobs.map(({ name }) => name), next: value?.continuationToken || undefined }
      },
    },
    options,
  )
}
