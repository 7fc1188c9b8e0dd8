// The built-in destinations. README.md lists the places of a new destination under “Testing”.
import type { Destination } from '../src/kernel/destination.ts'
import azureBlob from './azure-blob.ts'
import s3 from './s3.ts'
import sftp from './sftp.ts'
import webhook from './webhook.ts'

export const builtInDestinations: readonly Destination[] = [s3, azureBlob, sftp, webhook]
