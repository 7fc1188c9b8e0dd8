// A key under which a request that comes again is carried out once. Contract 3 §2 (Idempotency-Key).

/** Also where the page is no secure context, and has no `crypto.randomUUID`. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
