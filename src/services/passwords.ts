// Password hashing: scrypt at OWASP's first recommendation (N=2^17, r=8, p=1), of which each takes 128 MiB for a third
// of a second, and therefore one at a time, with a short queue. Decisions §2.
import { type BinaryLike, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { PimletError } from '../domain/errors.ts'
import type { System } from '../system.ts'

const deriveKey = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

/** log2 of N. Tests take less. */
export const PASSWORD_COST = 17
const BLOCK_SIZE = 8
const PARALLELISM = 1
const KEY_BYTES = 32
const SALT_BYTES = 16
/** Hashes that may wait; with more, a flood of logins would keep honest ones waiting for minutes. */
const MAX_WAITING = 32
const RETRY_AFTER_SECONDS = 10

export function createPasswordHasher(system: Pick<System, 'randomBytes'>, cost = PASSWORD_COST) {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  /** Runs after those before it. @throws UNAVAILABLE where too many wait */
  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (waiting >= MAX_WAITING)
      throw new PimletError('UNAVAILABLE', 'Too many logins at once: try again later', {
        retryAfter: RETRY_AFTER_SECONDS,
      })
    waiting += 1
    const result = last.then(work)
    last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      waiting -= 1
    }
  }

  const unknownUserHash = encode(cost, system.randomBytes(SALT_BYTES), system.randomBytes(KEY_BYTES))

  return {
    hash(password: string): Promise<string> {
      return inTurn(async () => {
        const salt = system.randomBytes(SALT_BYTES)
        return encode(cost, salt, await derive(password, salt, cost))
      })
    },

    /** False for an undefined hash, after the same work. */
    verify(password: string, hash: string | undefined): Promise<boolean> {
      return inTurn(async () => {
        const { cost: itsCost, salt, key } = decode(hash ?? unknownUserHash)
        const derived = await derive(password, salt, itsCost)
        return timingSafeEqual(derived, key) && hash !== undefined
      })
    },
  }
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

/** Typed differently on two machines, a password is still the same: Unicode NFKC, as NIST SP 800-63B asks. */
function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options = { N: 2 ** cost, r: BLOCK_SIZE, p: PARALLELISM, maxmem: 256 * BLOCK_SIZE * 2 ** cost }
  return deriveKey(password.normalize('NFKC'), salt, KEY_BYTES, options)
}

/** `scrypt$<log2 N>$<salt>$<key>`, in base64url. */
function encode(cost: number, salt: Buffer, key: Buffer): string {
  return ['scrypt', cost, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function decode(hash: string): { cost: number; salt: Buffer; key: Buffer } {
  const [, cost, salt = '', key = ''] = hash.split('$')
  return { cost: Number(cost), salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') }
}
