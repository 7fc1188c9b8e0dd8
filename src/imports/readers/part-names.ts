// The name of a part of a zip.
import { isUtf8 } from 'node:buffer'

/** The name in an entry of the directory of a zip. */
interface NamedPart {
  /** The name as the zip gives it. */
  readonly fileName: string
  readonly fileNameRaw: Buffer
  readonly extraFields: readonly { readonly id: number }[]
  readonly generalPurposeBitFlag: number
}

const IS_UTF8 = 0x800
/** Says a name in UTF-8, beside the one in another encoding. */
const UNICODE_PATH = 0x7075

/** macOS and other systems write UTF-8 without the flag for UTF-8. */
export function nameOf({ fileName, fileNameRaw, extraFields, generalPurposeBitFlag }: NamedPart): string {
  const isSaid = (generalPurposeBitFlag & IS_UTF8) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH)
  return !isSaid && isUtf8(fileNameRaw) ? fileNameRaw.toString('utf8') : fileName
}
