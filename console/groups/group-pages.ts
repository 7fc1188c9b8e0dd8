// The loaded rows of groups: a list in pages for each group that was in view.
import type { PageStore } from '../grid/page-store.ts'

/** Most pages of all groups in memory. */
const MOST_PAGES = 60

export class GroupPages<Row> {
  readonly #make: (key: string) => PageStore<Row>
  /** Key of the group → its pages; the group that was in view last is at the end. */
  readonly #pages = new Map<string, PageStore<Row>>()

  constructor(make: (key: string) => PageStore<Row>) {
    this.#make = make
  }

  get isReading(): boolean {
    return this.all().some((pages) => pages.isReading)
  }

  all(): readonly PageStore<Row>[] {
    return [...this.#pages.values()]
  }

  /** Returns the pages of a group; undefined: none of its rows were requested. */
  of(key: string): PageStore<Row> | undefined {
    return this.#pages.get(key)
  }

  use(key: string): PageStore<Row> {
    const pages = this.#pages.get(key) ?? this.#make(key)
    this.#pages.delete(key)
    this.#pages.set(key, pages)
    return pages
  }

  /** Stops the reads of groups out of view. */
  rest(inView: ReadonlySet<string>): void {
    for (const [key, pages] of this.#pages) if (!inView.has(key)) pages.rest()
  }

  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#pages.keys()) if (!keys.has(key)) this.#drop(key)
  }

  forgetOldest(inView: ReadonlySet<string>): void {
    let kept = this.all().reduce((sum, { size }) => sum + size, 0)
    for (const [key, { size, isHolding }] of this.#pages) {
      if (kept <= MOST_PAGES) return
      if (inView.has(key) || isHolding) continue
      kept -= size
      this.#drop(key)
    }
  }

  #drop(key: string): void {
    this.#pages.get(key)?.close()
    this.#pages.delete(key)
  }
}
