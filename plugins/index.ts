// The built-in destinations. A new one needs a file here, its line below, its section in README.md, and its test on the
// contract suite in `test/plugins/`.
import type { Destination } from '../src/kernel/destination.ts'
import azureBlob from './azure-blob.ts'
import s3 from './s3.ts'
import sftp from './sftp.ts'
import webhook from './webhook.ts'

export const builtInDestinations: readonly Destination[] = [s3, azureBlob, sftp, webhook]
