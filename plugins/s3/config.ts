// The `destinationConfig` of an s3 job: its fields, their limits, and which belong together. Decisions §6.
import * as v from 'valibot'

const text = (name: string, max: number) =>
  v.pipe(
    v.string(`${name} must be a string`),
    v.minLength(1, `${name} must not be empty`),
    v.maxLength(max, `${name} must have at most ${max} characters`),
  )

const token = (name: string, max: number) =>
  v.pipe(text(name, max), v.regex(/^[\x21-\x7e]+$/, `${name} must be plain ASCII without spaces`))

const fields = {
  bucket: v.pipe(
    text('bucket', 255),
    v.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{2,}$/,
      'bucket must be the name of a bucket: at least 3 letters, digits, ".", "-" or "_"',
    ),
  ),
  path: v.optional(
    v.pipe(
      v.string('path must be a string'),
      v.maxLength(700, 'path must have at most 700 characters'),
      v.transform((path) => path.replace(/^\/+|\/+$/g, '')),
      v.check(isPlainPath, 'path must not contain control characters, empty segments, "." or ".."'),
    ),
  ),
  region: v.pipe(text('region', 64), v.regex(/^[A-Za-z0-9-]+$/, 'region must be a region like eu-central-1')),
  endpoint: v.optional(
    v.pipe(
      text('endpoint', 2000),
      v.check(isEndpoint, 'endpoint must be an http or https URL without user, query or fragment'),
    ),
  ),
  forcePathStyle: v.optional(v.boolean('forcePathStyle must be true or false')),
  accessKeyId: v.optional(token('accessKeyId', 200)),
  secretAccessKey: v.optional(token('secretAccessKey', 1000)),
  sessionToken: v.optional(token('sessionToken', 8000)),
  checksums: v.optional(v.boolean('checksums must be true or false')),
  timeoutSeconds: v.optional(
    v.pipe(
      v.number('timeoutSeconds must be a number'),
      v.minValue(1, 'timeoutSeconds must be at least 1'),
      v.maxValue(600, 'timeoutSeconds must be at most 600'),
    ),
  ),
}

export const configSchema = v.pipe(
  v.object(fields, (issue) =>
    issue.path ? `${String(issue.path[0].key)} is required` : 'destinationConfig must be an object',
  ),
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
