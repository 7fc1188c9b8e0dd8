// Answers as the documentation shows them.
import assert from 'node:assert/strict'

/** The same, where `…` stands for what differs each time. */
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
