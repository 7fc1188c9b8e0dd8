// Keeps bytes in an S3 bucket, by the client and the settings of the destination `s3`. Contract 4 §5.
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { translateFileError } from '../../kernel/machine/whole-files.ts'
import s3 from '../../../plugins/s3.ts'
import type { S3Config } from '../../../plugins/s3/config.ts'
import { asDeliveryError, statusOf } from '../../../plugins/s3/errors.ts'
import { openStore, type Store } from '../../../plugins/s3/store.ts'
import type { ContentStore } from './content-store.ts'
import { contextOf, createObjectStore, type ObjectProvider, type ObjectStoreOptions } from './object-store.ts'

/** Larger content is sent in parts, as the destination sends them. */
const ONE_REQUEST = 8 * 1024 * 1024

export function createS3Store({ config, network, arrivals }: ObjectStoreOptions<S3Config>): ContentStore {
  const { bucket: Bucket, path } = config
  const provider: ObjectProvider<Store> = {
    place: `s3://${[Bucket, path].filter(Boolean).join('/')}`,
    path,
    connect: () => openStore(config, contextOf(network), new AbortController()),
    check: () => s3.check!(config, contextOf(network)),
    async put({ sdk, client }, folder, file) {
      if (file.size > ONE_REQUEST) return s3.deliver(file, { ...config, path: folder }, contextOf(network))
      const Body = await readFile(file.path).catch(translateFileError)
      return client.send(new sdk.PutObjectCommand({ Bucket, Key: `${folder}/${file.name}`, Body }))
    },
    async get({ sdk, client }, Key, range) {
      const ofRange = range && { Range: `bytes=${range.start}-${range.end}` }
      return (await client.send(new sdk.GetObjectCommand({ Bucket, Key, ...ofRange }))).Body as Readable
    },
    async sizeOf({ sdk, client }, Key) {
      return (await client.send(new sdk.HeadObjectCommand({ Bucket, Key }))).ContentLength
    },
    remove: ({ sdk, client }, Key) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key })),
    async list({ sdk, client }, Prefix, page) {
      const asked = { Bucket, Prefix, ...(page && { ContinuationToken: page }) }
      const { Contents = [], NextContinuationToken } = await client.send(new sdk.ListObjectsV2Command(asked))
      return { names: Contents.map(({ Key }) => Key!), next: NextContinuationToken }
    },
    faultOf: (error) => ({
      status: statusOf(error),
      isWithoutPlace: (error as Error).name === 'NoSuchBucket',
      message: asDeliveryError(error, config).message,
    }),
  }
  return createObjectStore(provider, arrivals)
}
