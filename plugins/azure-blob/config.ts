// The `destinationConfig` of an azure-blob job: its fields, their limits, and which belong together. Contract 2 §6.
import * as v from 'valibot'
import { missingField, text, timeoutSeconds } from '../shared/config-fields.ts'
import { CredentialFault, resolveContainer, type Credentials } from './account.ts'

const fields = {
  container: v.pipe(
    text('container', 63),
    v.description('An existing container.'),
    v.regex(
      /^(\$root|\$web|(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*)$/,
      'container must be the name of a container: 3 to 63 lower-case letters, digits and single hyphens',
    ),
  ),
  path: v.optional(
    v.pipe(
      v.string('path must be a string'),
      v.description('Directory in the container, without the file name.'),
      v.maxLength(700, 'path must have at most 700 characters'),
      v.transform((path) => path.replace(/^\/+|\/+$/g, '')),
      v.check(
        isPlainPath,
        'path must not contain control characters, backslashes, empty segments, or segments that end in "."',
      ),
    ),
  ),
  connectionString: v.optional(
    v.pipe(
      text('connectionString', 4000),
      v.description('One of connectionString, accountName with accountKey, and sasUrl is required.'),
    ),
  ),
  accountName: v.optional(
    v.pipe(
      text('accountName', 24),
      v.regex(/^[a-z0-9]{3,24}$/, 'accountName must be 3 to 24 lower-case letters and digits'),
    ),
  ),
  accountKey: v.optional(text('accountKey', 200)),
  sasUrl: v.optional(
    v.pipe(text('sasUrl', 4000), v.description('With a shared access signature for the container or for the account.')),
  ),
  endpoint: v.optional(
    v.pipe(
      text('endpoint', 2000),
      v.description('With accountName: URL of the blob service, where it is not that of Azure.'),
    ),
  ),
  timeoutSeconds,
}

export const configSchema = v.pipe(
  v.object(fields, missingField),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues) return
    const input: Credentials = dataset.value
    const fault = findFault(dataset.value)
    if (!fault) return
    const { field: key, message } = fault
    addIssue({
      message,
      path: [{ type: 'object', origin: 'value', input: dataset.value, key, value: input[key] }],
    })
  }),
)

export type AzureConfig = v.InferOutput<typeof configSchema>

function findFault(config: Credentials & { readonly container: string }): CredentialFault | undefined {
  try {
    resolveContainer(config)
    return undefined
  } catch (error) {
    if (error instanceof CredentialFault) return error
    throw error
  }
}

/** Azure drops dots at the end of a segment, so that two paths would be one. */
function isPlainPath(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return false
  return path === '' || path.split('/').every((segment) => segment !== '' && !segment.endsWith('.'))
}
