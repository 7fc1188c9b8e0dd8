// Password hashing: scrypt as OWASP recommends it where memory is scarce (N=2^15, r=8, p=3: 32 MiB; as strong as the
// first of its choices, which takes 128 MiB), one at a time, with a short queue. Contract 2 §2.
import { type BinaryLike, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Gate, tooMany } from '../../kernel/gate.ts'
import type { System } from '../../kernel/machine/system.ts'
import { normalForm } from '../../kernel/text.ts'

const deriveKey = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

/** log2 of N. Tests use a lower cost. */
const PASSWORD_COST = 15
const BLOCK_SIZE = 8
const PARALLELISM = 3
const KEY_BYTES = 32
const SALT_BYTES = 16
/** The most waiting hashes. With a longer queue, a flood of logins would delay honest logins for minutes. */
const MAX_WAITING = 31
const RETRY_AFTER_SECONDS = 10

export function createPasswordHasher(system: Pick<System, 'randomBytes'>, cost = PASSWORD_COST) {
  const gate = new Gate({ size: 1, maxWaiting: MAX_WAITING, refuse: () => tooMany('logins', RETRY_AFTER_SECONDS) })

  const unknownUserHash = encode(
    { cost, parallelism: PARALLELISM },
    system.randomBytes(SALT_BYTES),
    system.randomBytes(KEY_BYTES),
  )

  return {
    hash(password: string): Promise<string> {
      return gate.run(async () => {
        const salt = system.randomBytes(SALT_BYTES)
        const work = { cost, parallelism: PARALLELISM }
        return encode(work, salt, await derive(password, salt, work))
      })
    },

    /** Verifies a password. An undefined hash takes the same work, and gives false. */
    verify(password: string, hash: string | undefined): Promise<boolean> {
      return gate.run(async () => {
        const { work, salt, key } = decode(hash ?? unknownUserHash)
        const derived = await derive(password, salt, work)
        return timingSafeEqual(derived, key) && hash !== undefined
      })
    },
  }
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

interface Work {
  /** log2 of N. */
  readonly cost: number
  readonly parallelism: number
}

/** Normalises a password by Unicode NFKC, as NIST SP 800-63B asks: two machines may encode it differently. */
function derive(password: string, salt: Buffer, { cost, parallelism }: Work): Promise<Buffer> {
  const options = { N: 2 ** cost, r: BLOCK_SIZE, p: parallelism, maxmem: 256 * BLOCK_SIZE * 2 ** cost }
  return deriveKey(normalForm(password, 'NFKC'), salt, KEY_BYTES, options)
}

/** `scrypt$<log2 N>$<p>$<salt>$<key>`, the last two in base64url. */
function encode({ cost, parallelism }: Work, salt: Buffer, key: Buffer): string {
  return ['scrypt', cost, parallelism, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function decode(hash: string): { work: Work; salt: Buffer; key: Buffer } {
  const [, cost, parallelism, salt = '', key = ''] = hash.split('$')
  const work = { cost: Number(cost), parallelism: Number(parallelism) }
  return { work, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') }
}
