// The messenger of a workspace, as an administrator sets it up. Contract 5 §7.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { SECRET_PLACEHOLDER, withSecrets } from '../../kernel/secrets/secret-fields.ts'

/** Its ID: there is one at most. */
export const MESSENGER_ID = 'messenger'
const MAX_CONFIG = 32 * 1024

/** Not `v.record`: it drops keys like `constructor`. */
const Config = v.pipe(
  v.custom<Readonly<Record<string, unknown>>>(
    (input) => typeof input === 'object' && input !== null && !Array.isArray(input),
    'must be an object',
  ),
  v.metadata({ type: 'object', additionalProperties: true }),
  v.check((config) => JSON.stringify(config).length <= MAX_CONFIG, `must be at most ${MAX_CONFIG} characters of JSON`),
  v.description('The settings of the type. Secrets are stored encrypted and shown as `********`.'),
)

export const MessengerInput = exactObject({
  type: v.pipe(
    v.string('must be a string'),
    v.maxLength(64, 'must be at most 64 characters long'),
    v.description('`mail`, `webhook`, or the type of a plugin.'),
  ),
  config: Config,
})

interface Failure {
  /** ISO 8601. */
  readonly at: string
  readonly message: string
}

/** A messenger as stored: without secrets, which are encrypted apart. */
export interface StoredMessenger {
  /** `MESSENGER_ID`. */
  readonly id: string
  readonly type: string
  readonly config: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string>>
  readonly updatedAt: string
  /** The last message that was accepted. */
  readonly lastSentAt: string | null
  /** null: none since the last message that was accepted. */
  readonly lastFailure: Failure | null
}

/** As an administrator sees it. */
export function showMessenger({ type, config, secrets, updatedAt, lastSentAt, lastFailure }: StoredMessenger) {
  const masks = Object.fromEntries(Object.keys(secrets).map((field) => [field, SECRET_PLACEHOLDER]))
  return { type, config: withSecrets(config, masks), updatedAt, lastSentAt, lastFailure }
}
