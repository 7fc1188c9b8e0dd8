// The elements of a JSON array that arrives in parts, one by one, as text: the array is never held whole.
import { StringDecoder } from 'node:string_decoder'
import { StartError } from '../machine/start-error.ts'

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Some elements at a time. @throws StartError where the text is not an array of objects, or ends too early */
export async function* readElements(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[], void> {
  const decoder = new StringDecoder('utf8')
  const splitter = new ElementSplitter()
  try {
    for await (const chunk of chunks) yield splitter.take(decoder.write(chunk))
  } catch (error) {
    throw error instanceof StartError ? error : cutOff(error)
  }
  if (!splitter.isOver) throw cutOff()
}

class ElementSplitter {
  /** 1: between the elements of the array. */
  #depth = 0
  #isInString = false
  #isEscaped = false
  #begun = ''

  get isOver(): boolean {
    return this.#depth === -1
  }

  take(text: string): string[] {
    const found: string[] = []
    let from = this.#depth > 1 ? 0 : -1
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === BACKSLASH) this.#isEscaped = true
        else if (code === QUOTE) this.#isInString = false
      } else if (code === QUOTE && this.#depth > 1) {
        this.#isInString = true
      } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
        if (this.#depth <= 0 && (this.isOver || code === OPENING_BRACE)) throw notAnArray()
        if (this.#depth === 1) from = at
        this.#depth += 1
      } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
        this.#depth -= 1
        if (this.#depth === 1) {
          found.push(this.#begun + text.slice(from, at + 1))
          this.#begun = ''
          from = -1
        } else if (this.#depth === 0) this.#depth = -1
      } else if (this.#depth <= 1 && code > 0x20 && code !== COMMA) throw notAnArray()
    }
    if (from !== -1) this.#begun += text.slice(from)
    return found
  }
}

function cutOff(cause?: unknown): StartError {
  return new StartError('The connection was cut before everything had arrived', { cause })
}

function notAnArray(): StartError {
  return new StartError('The server did not answer as a pimlet server does')
}
