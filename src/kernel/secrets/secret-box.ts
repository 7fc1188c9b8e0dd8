// Encrypts stored secrets of export jobs and subscriptions: AES-256-GCM with a fresh nonce each. Owner and field are authenticated,
// so a value that was moved to another row does not open. Contract 2 §6.
import { createCipheriv, createDecipheriv } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SecretBox {
  /** Any JSON value, as text that may be stored. */
  seal(ownerId: string, field: string, value: unknown): string
  /** @throws UnreadableSecret if it was sealed with another key, or for another owner or field */
  open(ownerId: string, field: string, sealed: string): unknown
}

export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret'
  readonly permanent = true
  readonly field: string

  constructor(field: string, cause?: unknown) {
    super(
      `the stored secret '${field}' cannot be read with the key of this data directory: enter it again and save the job`,
      {
        cause,
      },
    )
    this.field = field
  }
}

/** `key`: 32 bytes. */
export function createSecretBox(key: Buffer, randomBytes: (count: number) => Buffer): SecretBox {
  return {
    seal(ownerId, field, value) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(placeOf(ownerId, field))
      const content = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([nonce, content, cipher.getAuthTag()]).toString('base64')}`
    },

    open(ownerId, field, sealed) {
      const [version, base64 = ''] = sealed.split('.')
      const bytes = Buffer.from(base64, 'base64')
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) throw new UnreadableSecret(field)
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        decipher.setAAD(placeOf(ownerId, field))
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        const content = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]
        return JSON.parse(Buffer.concat(content).toString('utf8')) as unknown
      } catch (error) {
        throw new UnreadableSecret(field, error)
      }
    },
  }
}

/** Unambiguous: an ID holds no line break. */
function placeOf(ownerId: string, field: string): Buffer {
  return Buffer.from(`${ownerId}\n${field}`)
}
