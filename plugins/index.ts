// The built-in destinations. A new destination needs a file here, its line below, and its section in README.md. It also
// needs its test on the contract suite in `test/plugins/`.
import type { Destination } from '../src/kernel/destination.ts'
import azureBlob from './azure-blob.ts'
import s3 from './s3.ts'
import sftp from './sftp.ts'
import webhook from './webhook.ts'

export const builtInDestinations: readonly Destination[] = [s3, azureBlob, sftp, webhook]
