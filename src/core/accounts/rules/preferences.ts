// Preferences: one JSON object of a caller that the server does not interpret. Contract 3 §7.
import * as v from 'valibot'

export type JsonObject = Readonly<Record<string, unknown>>

/** The most bytes of preferences in a request. */
export const MAX_PREFERENCES = 64 * 1024

/** Not `v.record`: it drops keys like `constructor`. */
export const Preferences = v.pipe(
  v.custom<JsonObject>(
    (input) => typeof input === 'object' && input !== null && !Array.isArray(input),
    'must be a JSON object',
  ),
  v.metadata({ type: 'object', additionalProperties: true }),
)

/** A user and an API key may have the same ID. */
export function preferencesId(kind: 'user' | 'apiKey', id: string): string {
  return `${kind} ${id}`
}

/** The preferences of one user or API key: see `preferencesId`. */
export interface StoredPreferences {
  readonly id: string
  readonly values: JsonObject
}
