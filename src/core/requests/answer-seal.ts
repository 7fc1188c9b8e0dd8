// Kept answers at rest. An answer may hold a secret that is shown only once, such as a new API key. So answers are
// encrypted (AES-256-GCM) and named by digests. The keys come from the data directory, so neither keys nor contents stand
// in the database.
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import type { Role } from '../accounts/rules/permissions.ts'
import { canonicalJson } from '../../kernel/text.ts'
import type { System } from '../../kernel/machine/system.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface AnswerSeal {
  /** The name under which the answer is kept. */
  nameOf(caller: string, path: string, key: string): string
  seal(name: string, content: unknown): Buffer
  /** Throws where it was sealed with another key, or under another name. */
  open(name: string, sealed: Uint8Array): unknown
}

/** `secret`: 32 bytes that only this workspace has. */
export function createAnswerSeal(secret: Buffer, system: Pick<System, 'randomBytes'>): AnswerSeal {
  const namingKey = deriveKey(secret, 'names of kept answers')
  const sealingKey = deriveKey(secret, 'contents of kept answers')
  return {
    nameOf: (caller, path, key) =>
      createHmac('sha256', namingKey)
        .update(JSON.stringify([caller, path, key]))
        .digest('base64url'),

    seal(name, content) {
      const nonce = system.randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, sealingKey, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(name),
      )
      return Buffer.concat([nonce, cipher.update(JSON.stringify(content), 'utf8'), cipher.final(), cipher.getAuthTag()])
    },

    open(name, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv(ALGORITHM, sealingKey, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(-TAG_BYTES))
      const content = [decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]
      return JSON.parse(Buffer.concat(content).toString('utf8')) as unknown
    },
  }
}

function deriveKey(secret: Buffer, purpose: string): Buffer {
  return createHmac('sha256', secret).update(purpose).digest()
}

const views = new WeakMap<Role, string>()

/** Alike for roles that may do and see the same. */
export function viewOf(role: Role): string {
  const known = views.get(role)
  if (known !== undefined) return known
  const { permissions, defaultAttributePermission, attributePermissions } = role
  const rights = canonicalJson([permissions.toSorted(), defaultAttributePermission, attributePermissions])
  const view = createHash('sha256').update(rights).digest('base64url')
  views.set(role, view)
  return view
}
