// Keeps bytes in an S3 bucket, by the client and the settings of the destination `s3`.
import type { Readable } from 'node:stream'
import s3 from '../../../plugins/s3.ts'
import type { S3Config } from '../../../plugins/s3/config.ts'
import { asDeliveryError, statusOf } from '../../../plugins/s3/errors.ts'
import { openStore, type Store } from '../../../plugins/s3/store.ts'
import type { ContentStore } from './content-store.ts'
import { createRemoteStore, type RemoteOptions } from './remote-store.ts'

export function createS3Store(options: RemoteOptions<S3Config>): ContentStore {
  const { config } = options
  const Bucket = config.bucket
  return createRemoteStore<S3Config, Store>(
    {
      name: Bucket,
      destination: s3,
      connect: (context) => openStore(config, context, new AbortController()),
      statusOf,
      isAboutContent: (error) => (error as Error).name !== 'NoSuchBucket',
      describe: (error) => asDeliveryError(error, config).message,
      put: ({ sdk, client }, Key, Body) => client.send(new sdk.PutObjectCommand({ Bucket, Key, Body })),
      async open({ sdk, client }, Key, range) {
        const Range = range && `bytes=${range.start}-${range.end}`
        const found = await client.send(new sdk.GetObjectCommand({ Bucket, Key, ...(Range && { Range }) }))
        return found.Body as Readable
      },
      async sizeOf({ sdk, client }, Key) {
        return (await client.send(new sdk.HeadObjectCommand({ Bucket, Key }))).ContentLength
      },
      remove: ({ sdk, client }, Key) => client.send(new sdk.DeleteObjectCommand({ Bucket, Key })),
      async page({ sdk, client }, Prefix, ContinuationToken) {
        const asked = { Bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) }
        const { Contents = [], NextContinuationToken: next } = await client.send(new sdk.ListObjectsV2Command(asked))
        return { keys: Contents.map(({ Key }) => Key!), next }
      },
    },
    options,
  )
}
