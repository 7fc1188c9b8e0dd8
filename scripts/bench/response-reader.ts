// Reads the responses on one HTTP/1.1 connection with little work: status, length and end. The driver of a load must be
// faster than the server.

const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')

export class ResponseReader {
  readonly #onResponse: (status: number, bytes: number) => void
  /** Unused earlier data: part of a head or of a line. */
  #kept: Buffer | undefined
  #status = 0
  #bytes = 0
  /** Missing bytes of the body or chunk; for a chunk, including its line end. */
  #missing = 0
  #state: 'head' | 'body' | 'size' | 'chunk' = 'head'

  constructor(onResponse: (status: number, bytes: number) => void) {
    this.#onResponse = onResponse
  }

  /** @param data not kept after the call */
  read(data: Buffer): void {
    let rest = this.#kept === undefined ? data : Buffer.concat([this.#kept, data])
    this.#kept = undefined
    while (rest.length > 0) {
      const used = this.#step(rest)
      if (used === 0) {
        this.#kept = Buffer.from(rest)
        return
      }
      rest = rest.subarray(used)
    }
  }

  /** @returns the number of used bytes; 0: more data must arrive first */
  #step(data: Buffer): number {
    if (this.#state === 'head') return this.#readHead(data)
    if (this.#state === 'size') return this.#readSize(data)
    const used = Math.min(this.#missing, data.length)
    this.#missing -= used
    this.#bytes += used
    if (this.#missing > 0) return used
    if (this.#state === 'chunk') this.#state = 'size'
    else this.#end()
    return used
  }

  #readHead(data: Buffer): number {
    const end = data.indexOf(HEAD_END)
    if (end === -1) return 0
    const head = data.toString('latin1', 0, end)
    this.#status = Number(head.slice(9, 12))
    this.#bytes = 0
    const length = head.indexOf('Content-Length: ')
    if (length !== -1) {
      this.#missing = Number.parseInt(head.slice(length + 16, length + 32), 10)
      this.#state = 'body'
      if (this.#missing === 0) this.#end()
    } else if (head.includes('Transfer-Encoding: chunked')) this.#state = 'size'
    else this.#end()
    return end + HEAD_END.length
  }

  #readSize(data: Buffer): number {
    const end = data.indexOf(LINE_END)
    if (end === -1) return 0
    const size = Number.parseInt(data.toString('latin1', 0, end), 16)
    if (size > 0) {
      this.#missing = size + LINE_END.length
      this.#state = 'chunk'
      return end + LINE_END.length
    }
    if (data.length < end + 2 * LINE_END.length) return 0
    this.#end()
    return end + 2 * LINE_END.length
  }

  #end(): void {
    this.#state = 'head'
    this.#onResponse(this.#status, this.#bytes)
  }
}
