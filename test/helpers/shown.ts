// Compares responses with the documentation.
import assert from 'node:assert/strict'

/** Compares two values, where `…` matches any varying part. */
export function assertShown(answered: unknown, shown: unknown): void {
  if (typeof shown === 'string' && shown.endsWith('…')) {
    assert.ok(String(answered).startsWith(shown.slice(0, -1)), `${String(answered)} is not ${shown}`)
    return
  }
  if (typeof shown !== 'object' || shown === null) {
    assert.deepEqual(answered, shown)
    return
  }
  assert.deepEqual(Object.keys(answered as object).sort(), Object.keys(shown).sort())
  for (const [key, value] of Object.entries(shown)) assertShown((answered as Record<string, unknown>)[key], value)
}
