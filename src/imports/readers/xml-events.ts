// Reads the elements and texts of well-formed XML as it arrives. XML with own definitions is refused. Home of saxes.
// Contract 3 §4.
import { SaxesParser } from 'saxes'
import { invalid, PimletError } from '../../kernel/errors.ts'

export type Attributes = Readonly<Record<string, string>>

interface XmlHandler {
  /** `name` has no prefix. */
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

/** Bytes between two elements. A real cell has far fewer. */
const MAX_TEXT = 8 * 1024 ** 2
const MAX_DEPTH = 64

/** Calls the handler for elements and texts, chunk by chunk. @throws VALIDATION_ERROR */
export class XmlReader {
  readonly #parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  readonly #what: string
  #silent = 0
  #depth = 0

  constructor(what: string, handler: XmlHandler) {
    this.#what = what
    const parser = this.#parser
    parser.on('error', (error) => {
      throw error
    })
    parser.on('doctype', () => {
      throw invalid(`The part '${what}' of the xlsx defines a document type, which is not allowed in a spreadsheet`)
    })
    parser.on('opentag', ({ name, attributes }) => {
      this.#silent = 0
      this.#depth += 1
      if (this.#depth > MAX_DEPTH) throw invalid(`The part '${what}' of the xlsx is nested too deeply`)
      handler.open?.(localName(name), attributes)
    })
    parser.on('text', (text) => handler.text?.(text))
    parser.on('cdata', (text) => handler.text?.(text))
    parser.on('closetag', ({ name }) => {
      this.#silent = 0
      this.#depth -= 1
      handler.close?.(localName(name))
    })
  }

  write(chunk: Buffer): void {
    this.#silent += chunk.length
    if (this.#silent > MAX_TEXT) throw invalid(`A text in the part '${this.#what}' of the xlsx is too long`)
    this.#guarded(() => this.#parser.write(this.#decoder.decode(chunk, { stream: true })))
  }

  end(): void {
    this.#guarded(() => this.#parser.write(this.#decoder.decode()).close())
  }

  #guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (error instanceof PimletError) throw error
      throw invalid(`The part '${this.#what}' of the xlsx is not readable XML`)
    }
  }
}

/** Reads all of a small part. */
export async function readXml(what: string, chunks: AsyncIterable<Buffer>, handler: XmlHandler): Promise<void> {
  const reader = new XmlReader(what, handler)
  for await (const chunk of chunks) reader.write(chunk)
  reader.end()
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}
