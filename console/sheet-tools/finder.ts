// Moves from hit to hit of a text in a sheet. The server finds the places of hits, some at a time. Signals, no DOM.
import { signal } from '@preact/signals'

interface Hit {
  readonly part: number
  readonly row: number
  readonly mark: number
}

interface Hits {
  readonly total: number
  readonly offset: number
  readonly places: readonly Hit[]
}

type Start = { readonly offset: number } | { readonly from: { readonly part: number; readonly row: number } }

interface FinderHost {
  /** @throws if the search fails */
  readonly find: (text: string, start: Start & { readonly limit: number }, stop: AbortSignal) => Promise<Hits>
  readonly go: (hit: Hit) => void
  readonly failed: (error: unknown) => void
}

/** The most hits that one request reads. */
const LIMIT = 100
const NO_HITS: Hits = { total: 0, offset: 0, places: [] }

export class Finder {
  /** The number of the present hit, from 1, and the number of all hits; undefined: no search. */
  readonly found = signal<{ readonly at: number; readonly total: number } | undefined>(undefined)
  readonly #host: FinderHost
  readonly #from: { readonly part: number; readonly row: number }
  #text = ''
  #hits: Hits | undefined
  #asking: AbortController | undefined

  /** @param from the row where every search begins */
  constructor(host: FinderHost, from: { readonly part: number; readonly row: number }) {
    this.#host = host
    this.#from = from
  }

  get text(): string {
    return this.#text
  }

  /** Moves to the first hit of another text. */
  async look(text: string): Promise<void> {
    if (text === this.#text) return
    this.#text = text
    this.forget()
    if (text !== '') return this.#ask({ from: this.#from }, ({ offset }) => offset)
    this.#asking?.abort()
    this.found.value = undefined
  }

  /** Moves to the next or the previous hit; after the end, it begins again. */
  async step(by: 1 | -1): Promise<void> {
    const { at, total } = this.found.peek() ?? { at: 0, total: 0 }
    if (total === 0) return
    const to = (at - 1 + by + total) % total
    const { offset, places } = this.#hits ?? NO_HITS
    if (to >= offset && to < offset + places.length) return this.#go(to)
    const first = by > 0 ? to : Math.max(0, to - LIMIT + 1)
    // The number of hits may have fallen meanwhile.
    return this.#ask({ offset: first }, (hits) => Math.min(to, hits.total - 1))
  }

  /** Forgets hits, because the records may have changed: the next step reads them again. */
  forget(): void {
    this.#hits = undefined
  }

  close(): void {
    this.#asking?.abort()
  }

  async #ask(start: Start, choose: (hits: Hits) => number): Promise<void> {
    this.#asking?.abort()
    const asking = new AbortController()
    this.#asking = asking
    try {
      const hits = await this.#host.find(this.#text, { ...start, limit: LIMIT }, asking.signal)
      if (asking.signal.aborted) return
      this.#hits = hits
      if (hits.total === 0) this.found.value = { at: 0, total: 0 }
      else this.#go(choose(hits))
    } catch (error) {
      if (!asking.signal.aborted) this.#host.failed(error)
    }
  }

  #go(number: number): void {
    const { offset, places, total } = this.#hits!
    const hit = places[number - offset]
    if (hit === undefined) return
    this.found.value = { at: number + 1, total }
    this.#host.go(hit)
  }
}
