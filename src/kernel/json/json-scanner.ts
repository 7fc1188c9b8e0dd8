// Scans the bytes of JSON as they arrive, before they are parsed: the depth, the number of values, and numbers that a
// double cannot hold. Invalid JSON is left to `JSON.parse`. Contract 3 §9.9.
import { invalid, PimletError, shorten } from '../errors.ts'
import { isHeld } from './lost-numbers.ts'

/** Maximum nesting of objects and arrays; recursive code may rely on it. */
export const MAX_DEPTH = 500

const [QUOTE, BACKSLASH, COMMA, MINUS, PLUS, POINT] = [0x22, 0x5c, 0x2c, 0x2d, 0x2b, 0x2e] as const
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const
const [ZERO, NINE, SPACE, LETTER_E] = [0x30, 0x39, 0x20, 0x65] as const
const LOWER_CASE = 0x20

/** Characters. Any shorter number without an exponent fits a double. */
const LONG_NUMBER = 16
/** Characters. Longer numbers are not judged here, but by the parser, which has all of their text. */
const MAX_NUMBER = 400

/** Lost numbers beyond which a body is refused: each has to be put in its place. A value of type json has room for fewer. */
const MAX_LOST = 5000

/** A number that a double cannot hold, or that is too long to judge here: its first byte, and the one after its last. */
export type NumberPlace = readonly [from: number, to: number]

export class JsonScanner {
  readonly #what: string
  readonly #maxValues: number
  #depth = 0
  #values = 1
  #isInString = false
  #isEscaped = false
  /** The latest token opened an array or object: a first value or the end follows. */
  #isOpened = false
  /** Bytes before the part that is looked at. */
  #before = 0
  /** A number that was cut off by the end of the last part: its text so far, and its begin. */
  #number = ''
  #numberFrom = 0
  readonly #lost: NumberPlace[] = []

  /** `what` begins the messages. */
  constructor(what: string, maxValues: number) {
    this.#what = what
    this.#maxValues = maxValues
  }

  /** Objects, arrays, strings, numbers, booleans and nulls so far; names of members do not count. */
  get values(): number {
    return this.#values
  }

  /** @throws VALIDATION_ERROR for too deep nesting or too many lost numbers, PAYLOAD_TOO_LARGE for too many values */
  take(part: Buffer): void {
    let at = this.#number === '' ? 0 : this.#passNumber(part, 0)
    while (at < part.length) {
      const byte = part[at]!
      if (this.#isInString) at = this.#passString(part, at)
      else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
        this.#countFirst()
        this.#numberFrom = this.#before + at
        at = this.#passNumber(part, at)
      } else {
        if (byte > SPACE) this.#takeToken(byte)
        at += 1
      }
    }
    this.#before += part.length
    if (this.#values > this.#maxValues) throw this.#tooMany()
  }

  /** After all parts: the numbers that are lost, in their order. @throws VALIDATION_ERROR */
  end(): readonly NumberPlace[] {
    if (this.#number !== '') this.#judge(this.#number, this.#before)
    this.#number = ''
    return this.#lost
  }

  #takeToken(byte: number): void {
    if (byte === COMMA) this.#values += 1
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      this.#depth -= 1
      this.#isOpened = false
    } else {
      this.#countFirst()
      if (byte === QUOTE) this.#isInString = true
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        this.#isOpened = true
        this.#depth += 1
        if (this.#depth > MAX_DEPTH) throw invalid(`${this.#what} nests deeper than ${MAX_DEPTH} levels`)
      }
    }
  }

  #countFirst(): void {
    if (!this.#isOpened) return
    this.#isOpened = false
    this.#values += 1
  }

  /** @returns where the string has ended, or the part */
  #passString(part: Buffer, from: number): number {
    let isEscaped = this.#isEscaped
    let at = from
    for (; at < part.length; at += 1) {
      const byte = part[at]
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) {
        this.#isInString = false
        at += 1
        break
      }
    }
    this.#isEscaped = isEscaped
    return at
  }

  /** @returns where the number has ended, or the part */
  #passNumber(part: Buffer, from: number): number {
    let at = from
    let hasPower = false
    for (; at < part.length; at += 1) {
      const byte = part[at]!
      if ((byte >= ZERO && byte <= NINE) || byte === POINT || byte === MINUS || byte === PLUS) continue
      if ((byte | LOWER_CASE) !== LETTER_E) break
      hasPower = true
    }
    const isCut = at === part.length
    if (!isCut && this.#number === '' && !hasPower && at - from < LONG_NUMBER) return at
    const text = this.#number + part.toString('latin1', from, Math.min(at, from + MAX_NUMBER))
    this.#number = isCut ? text.slice(0, MAX_NUMBER) : ''
    if (!isCut) this.#judge(text, this.#before + at)
    return at
  }

  #judge(text: string, end: number): void {
    if (text.length < MAX_NUMBER && isHeld(text)) return
    if (this.#lost.length >= MAX_LOST)
      throw invalid(
        `${this.#what} holds more than ${MAX_LOST} numbers like ${shorten(text, 60)}, which cannot be stored exactly`,
      )
    this.#lost.push([this.#numberFrom, end])
  }

  #tooMany(): PimletError {
    const message = `${this.#what} holds more than ${this.#maxValues} values (--max-body-values)`
    return new PimletError('PAYLOAD_TOO_LARGE', message)
  }
}
