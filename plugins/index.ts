// The destinations that are built in. Interface §2.9; decisions §6.
import type { Destination } from '../src/exports/destination.ts'
import azureBlob from './azure-blob.ts'
import s3 from './s3.ts'
import sftp from './sftp.ts'

export const builtInDestinations: readonly Destination[] = [s3, azureBlob, sftp]
