// A key with which the server runs a repeated request once. Contract 3 §2 (Idempotency-Key).

/** Returns a new key. This also works in an insecure context, which has no `crypto.randomUUID`. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
