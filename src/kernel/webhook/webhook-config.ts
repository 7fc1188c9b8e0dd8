// The settings of a webhook: values that could break or forge a request are refused when the job is saved.
import * as v from 'valibot'

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/
/** Visible ASCII, space and tab: all servers read them alike. No line breaks. */
const HEADER_VALUE = /^[\t\x20-\x7e]*$/
/** Set by pimlet or by the connection. */
const RESERVED =
  /^(host|content-(length|type|disposition)|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|webhook-.*|x-pimlet-.*)$/i
const MOST_HEADERS = 50
const LONGEST_VALUE = 8192

const url = v.pipe(
  v.string(),
  v.description('http or https. Put credentials into headers.'),
  v.maxLength(2048),
  v.check(
    isPlainUrl,
    'must be an http:// or https:// URL without user name and password (credentials belong into headers)',
  ),
)

/** Not `v.record`: it drops names like `constructor`. */
const headers = v.pipe(
  v.custom<Record<string, string>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  ),
  v.metadata({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: LONGEST_VALUE },
    description: 'Up to 50 more headers, such as Authorization; their values are secret.',
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const [key, value] of Object.entries(dataset.value as Record<string, unknown>)) {
      if (typeof value === 'string' && value.length <= LONGEST_VALUE) continue
      const message = `must be a text of at most ${LONGEST_VALUE} characters`
      addIssue({ message, path: [{ type: 'object', origin: 'value', input: dataset.value, key, value }] })
    }
  }),
  v.check((all) => Object.keys(all).length <= MOST_HEADERS, `must be at most ${MOST_HEADERS}`),
  v.check(
    (all) => Object.keys(all).every((name) => HEADER_NAME.test(name)),
    'holds a name that is no HTTP header name',
  ),
  v.check(
    (all) => Object.keys(all).every((name) => !RESERVED.test(name)),
    'may not set Host, Content-*, Connection and the like, X-Pimlet-* or webhook-*',
  ),
  v.check(hasDistinctNames, 'holds a name twice'),
  v.check(
    (all) => Object.values(all).every((value) => HEADER_VALUE.test(value)),
    'holds a value with a line break or another character outside ASCII',
  ),
)

const signingSecret = v.pipe(
  v.string(),
  v.description(
    'Signs the requests after Standard Webhooks; after `whsec_` it is base64, else the text itself is the key.',
  ),
  v.nonEmpty('must not be empty'),
  v.maxLength(1024),
  v.check(
    (secret) => keyOf(secret).length > 0 && isBase64Where(secret),
    'begins with whsec_, so the rest must be base64',
  ),
)

export const WebhookConfig = v.object({
  url,
  method: v.optional(v.picklist(['POST', 'PUT']), 'POST'),
  headers: v.optional(headers, {}),
  signingSecret: v.optional(signingSecret),
  timeoutSeconds: v.optional(
    v.pipe(
      v.number(),
      v.minValue(1),
      v.maxValue(600),
      v.description('How long to wait for the connection, for what moves on it, and for the answer.'),
    ),
    60,
  ),
})

export type WebhookConfig = v.InferOutput<typeof WebhookConfig>

/** The bytes of a signing secret: after `whsec_` they are base64, else the text itself. */
export function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
}

function isBase64Where(secret: string): boolean {
  return !secret.startsWith('whsec_') || /^[A-Za-z0-9+/]+={0,2}$/.test(secret.slice(6))
}

function isPlainUrl(text: string): boolean {
  const parsed = URL.parse(text)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === ''
}

function hasDistinctNames(all: Record<string, string>): boolean {
  const names = Object.keys(all).map((name) => name.toLowerCase())
  return new Set(names).size === names.length
}
