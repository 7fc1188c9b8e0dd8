// Public addresses of renditions: a client with an address needs no credential. The address names the content and carries a
// proof that this workspace has given it, so no table of addresses is needed. Contract 4 §3.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { definitionOf, type Focus, FOCUS_STEPS, focusOf, isMade, type Preset } from './presets.ts'

const SHA256_BYTES = 32
const FOCUS_BYTES = 4
const PROOF_BYTES = 32
/** Characters. */
const MAX_FILE_NAME = 100
const MAX_SIGNATURE = 100
const PURPOSE = 'pimlet public address'

/** The content that a public address names. */
interface PublicContent {
  /** In lower-case hexadecimal. */
  readonly sha256: string
  readonly focus?: Focus | undefined
}

/** The data on which the addresses of a workspace depend. There is a row once the addresses have been changed. */
export interface PublicAddresses {
  readonly id: typeof PUBLIC_ADDRESSES
  readonly salt: string
  readonly rotatedAt: string
}
export const PUBLIC_ADDRESSES = 'public-addresses'

/**
 * The key of the addresses of a workspace. All its servers have the same one.
 * @param salt another one ends all addresses
 */
export function publicKeyOf(encryptionKey: Buffer, salt: string): Buffer {
  return createHmac('sha256', encryptionKey).update(`${PURPOSE}\n${salt}`).digest()
}

/** The path: `/public/<signature>/<preset>/<fileName>`. `fileName`: of the original. */
export function publicPath(
  key: Buffer,
  { sha256, focus, preset, fileName }: PublicContent & { readonly preset: Preset; readonly fileName: string },
): string {
  const content = encode(sha256, focusOf(preset, focus))
  const signature = Buffer.concat([content, proofOf(key, content, preset)]).toString('base64url')
  return `/public/${signature}/${preset.id}/${encodeURIComponent(publicFileName(fileName, preset))}`
}

/** Undefined: the address was not given with this key, for this definition of the preset. */
export function openSignature(key: Buffer, signature: string, preset: Preset): PublicContent | undefined {
  if (signature.length > MAX_SIGNATURE) return undefined
  const bytes = Buffer.from(signature, 'base64url')
  const content = bytes.subarray(0, -PROOF_BYTES)
  if (content.length !== SHA256_BYTES && content.length !== SHA256_BYTES + FOCUS_BYTES) return undefined
  // One content has one address: base64 leaves some characters open.
  if (bytes.toString('base64url') !== signature) return undefined
  if (!timingSafeEqual(proofOf(key, content, preset), bytes.subarray(-PROOF_BYTES))) return undefined
  const sha256 = content.subarray(0, SHA256_BYTES).toString('hex')
  if (content.length === SHA256_BYTES) return { sha256 }
  const [x, y] = [content.readUInt16BE(SHA256_BYTES), content.readUInt16BE(SHA256_BYTES + 2)]
  return { sha256, focus: { x: x / FOCUS_STEPS, y: y / FOCUS_STEPS } }
}

/** The name of a rendition: letters, digits and `._-` of the original's name, with the ending of the format. */
export function publicFileName(fileName: string, preset: Preset): string {
  const whole = clean(fileName)
  const ending = isMade(preset) ? `.${preset.format === 'jpeg' ? 'jpg' : preset.format}` : ''
  const base = ending === '' ? whole : whole.replace(/\.[^.]*$/, '')
  return `${
    Array.from(base)
      .slice(0, MAX_FILE_NAME - ending.length)
      .join('') || 'file'
  }${ending}`
}

function clean(fileName: string): string {
  const last = fileName.toWellFormed().normalize('NFC').split(/[\\/]/).at(-1)!
  return last.replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '')
}

function encode(sha256: string, focus: Focus | undefined): Buffer {
  const content = Buffer.from(sha256, 'hex')
  if (focus === undefined) return content
  const point = Buffer.alloc(FOCUS_BYTES)
  point.writeUInt16BE(Math.round(focus.x * FOCUS_STEPS), 0)
  point.writeUInt16BE(Math.round(focus.y * FOCUS_STEPS), 2)
  return Buffer.concat([content, point])
}

/** `content` includes the focus; the definition has all other facts that decide the bytes. */
function proofOf(key: Buffer, content: Buffer, preset: Preset): Buffer {
  return createHmac('sha256', key)
    .update(`${definitionOf(preset)}\n`)
    .update(content)
    .digest()
}
