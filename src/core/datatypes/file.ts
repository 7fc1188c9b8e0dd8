// Values that name a file: its hash and its name, with facts of its content, which the server adds. Contract 4 §2.
import { cleanFileName } from '../values/file-name.ts'
import type { PixelRule, ValidationRules } from '../values/rules.ts'
import { faultOf, type ValueFault } from '../values/value-fault.ts'
import { type DataType, isString, singleValue } from './data-type.ts'

/** The facts of the content that a value has. */
interface FileFacts {
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  readonly width: number | null
  readonly height: number | null
  readonly thumbhash: string | null
}

export interface FileName {
  readonly sha256: string
  readonly fileName: string
}

/** A stored value. */
export type FileValue = FileName & FileFacts

const SHA256 = /^[0-9a-f]{64}$/
/** A hash, and maybe a name, as tools write them that calculate hashes. */
const CELL = /^([0-9a-f]{64})(?:\s+(.+))?$/i
const FORM = 'must be { sha256, fileName }'

/** A value as a client sends it, or as the server stores it. The server knows the facts, and drops the facts of a client. */
export const file: DataType = {
  ...singleValue,
  form: '`{ sha256, fileName }`; answers add `mediaType`, `size`, `width`, `height` and `thumbhash`',
  read: (input) => {
    const { sha256, fileName, ...rest } = asObject(input) ?? {}
    if (!isString(sha256) || !isString(fileName)) return input
    return { sha256: sha256.toLowerCase(), fileName: cleanFileName(fileName), ...rest }
  },
  findFault: (value) => {
    const { sha256, fileName } = asObject(value) ?? {}
    if (!isString(sha256) || !isString(fileName)) return faultOf('type', FORM)
    return SHA256.test(sha256) ? undefined : faultOf('type', 'must have a sha256 of 64 hexadecimal digits')
  },
  isEmpty: () => false,
  withoutUnknownFields: (value) => {
    const { sha256, fileName } = value as FileName
    return { sha256, fileName }
  },
  files: (value) => [(value as FileName).sha256],
  equalityKeys: (value) => [(value as FileName).sha256],
  parseKey: (text) => text.toLowerCase(),
  parts: { fileName: 'text', mediaType: 'select', size: 'number', width: 'number', height: 'number' },
  toCell: (value) => (value as FileName).fileName,
  toExactCell: (value) => {
    const { sha256, fileName } = value as FileName
    return `${sha256} ${fileName}`
  },
  fromCell: (text) => {
    const [, sha256, fileName = ''] = CELL.exec(text.trim()) ?? []
    return sha256 !== undefined
      ? { value: { sha256: sha256.toLowerCase(), fileName: cleanFileName(fileName) } }
      : { problem: 'must be the SHA-256 of a file, or be fetched or found by a step of the column' }
  },
  mayBeEmptyText: false,
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** The fault of a file by the rules of an attribute, or undefined. */
export function findFileFault(facts: FileFacts, rules: ValidationRules): ValueFault | undefined {
  const { mediaTypes, maxBytes, minPixels, maxPixels } = rules
  const { mediaType, size } = facts
  if (mediaTypes !== undefined && !mediaTypes.some((allowed) => isOfType(mediaType, allowed)))
    return faultOf('type', `must have the media type ${mediaTypes.join(' or ')}, and has ${mediaType}`)
  if (maxBytes !== undefined && size > maxBytes)
    return faultOf('length', `must have at most ${maxBytes} bytes, and has ${size}`)
  return faultOf('range', findPixelProblem(facts, minPixels, maxPixels))
}

/** @param allowed `image/png`, or `image/*` */
function isOfType(mediaType: string, allowed: string): boolean {
  const family = allowed.endsWith('/*') ? allowed.slice(0, -1) : undefined
  return family === undefined ? mediaType === allowed.toLowerCase() : mediaType.startsWith(family.toLowerCase())
}

function findPixelProblem(
  facts: FileFacts,
  min: PixelRule | undefined,
  max: PixelRule | undefined,
): string | undefined {
  for (const side of ['width', 'height'] as const) {
    const [least, most, pixels] = [min?.[side], max?.[side], facts[side]]
    if (least === undefined && most === undefined) continue
    if (pixels === null) return `must be a picture with a known ${side}`
    if (least !== undefined && pixels < least)
      return `must have a ${side} of at least ${least} pixels, and has ${pixels}`
    if (most !== undefined && pixels > most) return `must have a ${side} of at most ${most} pixels, and has ${pixels}`
  }
  return undefined
}
