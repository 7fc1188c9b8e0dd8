// The `destinationConfig` of an s3 job: its fields, their limits, and which belong together. Contract 2 §6.
import * as v from 'valibot'
import { missingField, text, timeoutSeconds } from '../shared/config-fields.ts'

const token = (name: string, max: number) =>
  v.pipe(text(name, max), v.regex(/^[\x21-\x7e]+$/, `${name} must be plain ASCII without spaces`))

const fields = {
  bucket: v.pipe(
    text('bucket', 255),
    v.description('An existing bucket.'),
    v.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{2,}$/,
      'bucket must be the name of a bucket: at least 3 letters, digits, ".", "-" or "_"',
    ),
  ),
  path: v.optional(
    v.pipe(
      v.string('path must be a string'),
      v.description('Directory in the bucket, without the file name.'),
      v.maxLength(700, 'path must have at most 700 characters'),
      v.transform((path) => path.replace(/^\/+|\/+$/g, '')),
      v.check(isPlainPath, 'path must not contain control characters, empty segments, "." or ".."'),
    ),
  ),
  region: v.pipe(
    text('region', 64),
    v.description('`eu-central-1`; for other stores what they ask for, often `us-east-1` or `auto`.'),
    v.regex(/^[A-Za-z0-9-]+$/, 'region must be a region like eu-central-1'),
  ),
  endpoint: v.optional(
    v.pipe(
      text('endpoint', 2000),
      v.description("URL of another store than Amazon's."),
      v.check(isEndpoint, 'endpoint must be an http or https URL without user, query or fragment'),
    ),
  ),
  forcePathStyle: v.optional(
    v.pipe(
      v.boolean('forcePathStyle must be true or false'),
      v.description(
        '`https://host/bucket/key` in place of `https://bucket.host/key`; true by default with an endpoint.',
      ),
    ),
  ),
  accessKeyId: v.optional(
    v.pipe(token('accessKeyId', 200), v.description('Without keys the AWS default chain decides.')),
  ),
  secretAccessKey: v.optional(token('secretAccessKey', 1000)),
  sessionToken: v.optional(token('sessionToken', 8000)),
  checksums: v.optional(
    v.pipe(
      v.boolean('checksums must be true or false'),
      v.description('CRC-32 of every part in a header, by default; false for stores that refuse the header.'),
    ),
  ),
  timeoutSeconds,
}

export const configSchema = v.pipe(
  v.object(fields, missingField),
  v.forward(
    v.partialCheck(
      [['accessKeyId'], ['secretAccessKey']],
      ({ accessKeyId, secretAccessKey }) => !accessKeyId || secretAccessKey !== undefined,
      'secretAccessKey is required with accessKeyId',
    ),
    ['secretAccessKey'],
  ),
  v.forward(
    v.partialCheck(
      [['accessKeyId'], ['secretAccessKey'], ['sessionToken']],
      (keys) => keys.accessKeyId !== undefined || (!keys.secretAccessKey && !keys.sessionToken),
      'accessKeyId is required with secretAccessKey and sessionToken',
    ),
    ['accessKeyId'],
  ),
)

export type S3Config = v.InferOutput<typeof configSchema>

function isPlainPath(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) return false
  return path === '' || path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

function isEndpoint(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  return /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
}
