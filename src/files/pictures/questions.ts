// The questions that the server asks a picture process, and the limits of both. Contract 4 §1, 4 §3.
import type { Focus, MadePreset } from '../rules/presets.ts'

const MB = 1e6
export const MAX_PIXELS = 100e6
/** Bytes; a larger one takes its memory by its elements, not by its pixels. */
export const MAX_SVG = 10 * MB
/** Milliseconds of work for a question. A busy machine may take longer for them. */
export const MAX_TIME = 10_000
/** Bytes that a picture process may have. */
export const MAX_MEMORY = 768 * MB
/** Bytes that a question may take at once, besides the bytes of a large file. A picture that needs more asks first. */
export const LIGHT = 80 * MB
/** Bytes of a file that count as nothing. */
export const SMALL_FILE = 8 * MB

/** Facts about a file, from its content alone. */
export interface Description {
  readonly mediaType: string
  /** Pixels, with the orientation applied; null: it is no picture, or a broken one. */
  readonly width: number | null
  readonly height: number | null
  /** Null: it has none, or an unknown number. */
  readonly pages: number | null
  /** Base64; null where pixels are missing, or too many. */
  readonly thumbhash: string | null
}

export interface Rendered {
  readonly mediaType: string
  readonly size: number
  /** Of the content, in lower-case hexadecimal. */
  readonly sha256: string
  readonly width: number
  readonly height: number
}

interface Asked {
  readonly path: string
  /** Bytes that it may take. */
  readonly granted: number
}

export type Question =
  | (Asked & { readonly kind: 'describe'; readonly isTypeOnly: boolean })
  | (Asked & {
      readonly kind: 'render'
      readonly preset: MadePreset
      readonly focus: Focus | undefined
      /** The file to write. */
      readonly output: string
    })

/** `maxTime`: milliseconds of work. */
export type ToProcess = Question & { readonly maxTime: number }

export type Answer =
  | { readonly kind: 'described'; readonly description: Description }
  | { readonly kind: 'rendered'; readonly rendered: Rendered }
  /** The bytes that the picture would take: the caller asks again with more. */
  | { readonly kind: 'heavy'; readonly bytes: number }
  /** `why` follows "it": `is no picture`. */
  | { readonly kind: 'notRenderable'; readonly why: string }
  /** A fault of the machine, for example a file that is not there. */
  | { readonly kind: 'failed'; readonly message: string }

/** The process says once that it is ready. `fault`: it has no library for pictures. */
export type FromProcess = { readonly kind: 'ready'; readonly fault: string | undefined } | Answer

/** Exit statuses of a process that took more than `MAX_MEMORY`, or worked too long. */
export const TOO_MUCH_MEMORY = 77
export const TOO_MUCH_TIME = 78
