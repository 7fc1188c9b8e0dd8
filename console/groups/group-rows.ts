// The rows of a sheet with groups. Each group is a separate list: a search with one more criterion. So offsets count
// within the group, and are exact for every kind of value. No read passes the rows of folded or earlier groups.
import { batch } from '@preact/signals'
import type { GroupHost, GroupRows, RowGroup } from '../grid/groups.ts'
import type { PageStore } from '../grid/page-store.ts'
import { type Folds, readFolds, writeFolds } from './folds.ts'
import { GroupLayout, type GroupSpan } from './group-layout.ts'
import { GroupPages } from './group-pages.ts'
import { belongs } from './belongs.ts'
import { FACET_VALUES, keyOf, MOST_GROUPS } from './group-keys.ts'
import { readGroups, readMeans } from './read-groups.ts'
import { SettledView } from './settled-view.ts'

/** The number of rows read beyond the view: each small group costs a request. */
const AHEAD = 8

export class GroupStore<Row> implements GroupRows<Row> {
  readonly ahead = AHEAD
  readonly #host: GroupHost<Row>
  #groups: readonly RowGroup[] = []
  #layout = new GroupLayout([])
  readonly #pages: GroupPages<Row>
  #total: number | undefined
  #loading: AbortController | undefined
  #scoring: AbortController | undefined
  #wanted: { readonly first: number; readonly last: number } = { first: 0, last: -1 }
  #held: readonly GroupSpan[] = []
  /** The held range of rows, as text. */
  #range = ''
  #holding: Promise<void> = Promise.resolve()
  readonly #view: SettledView
  #hasFailed = false
  /** Whether a row was marked since the groups were read. */
  #mayMove = false
  /** Most groups of values. */
  #most = FACET_VALUES
  #hasMore = false
  /** True: the last read of the groups has failed. */
  #isOutdated = false

  constructor(host: GroupHost<Row>) {
    this.#host = host
    this.#pages = new GroupPages((key) => this.#newPages(key))
    this.#view = new SettledView(host.console.browser, () => this.#ask())
  }

  get total(): number | undefined {
    return this.#total
  }

  get length(): number {
    return this.#layout.length
  }

  get isReading(): boolean {
    return this.#loading !== undefined || this.#pages.isReading
  }

  get isCurrent(): boolean {
    return this.#loading === undefined && this.#total !== undefined
  }

  row(index: number): Row | undefined {
    const at = this.#layout.at(index)
    return at === undefined || at.record < 0 ? undefined : this.#pages.of(this.#groups[at.group]!.key)?.row(at.record)
  }

  isHead(index: number): boolean {
    return this.#layout.at(index)?.record === -1
  }

  numberOf(index: number): number {
    return this.#layout.numberOf(index)
  }

  groupAt(index: number): RowGroup | undefined {
    const at = this.#layout.at(index)
    return at && this.#groups[at.group]
  }

  get groups(): readonly RowGroup[] {
    return this.#groups
  }

  get more(): (() => void) | undefined {
    if (!this.#hasMore) return undefined
    return () => {
      this.#most = Math.min(MOST_GROUPS, this.#most + FACET_VALUES)
      void this.#load()
    }
  }

  placeOf(index: number): { readonly part: number; readonly row: number } {
    const { group, record } = this.#layout.at(index) ?? { group: 0, record: 0 }
    return { part: group, row: Math.max(0, record) }
  }

  rowOf(part: number, row: number): number {
    const { key } = this.#groups[part]!
    if (this.isFolded(key)) this.fold(key, false)
    return this.#layout.rowOf(part, row)!
  }

  headOf(key: string): number | undefined {
    const at = this.#groups.findIndex((group) => group.key === key)
    return at < 0 ? undefined : this.#layout.headOf(at)
  }

  isFolded(key: string): boolean {
    const { all, except } = this.#folds()
    return all !== except.includes(key)
  }

  fold(key: string, isFolded: boolean): void {
    const { all, except } = this.#folds()
    const others = except.filter((one) => one !== key)
    this.#keep({ all, except: all === isFolded ? others : [...others, key] })
  }

  foldAll(isFolded: boolean): void {
    this.#keep({ all: isFolded, except: [] })
  }

  score(): void {
    this.#scoring?.abort()
    const scoring = new AbortController()
    this.#scoring = scoring
    if (this.#groups.length === 0) return
    readMeans(this.#host, this.#groups, scoring.signal).then(
      (means) => {
        if (scoring.signal.aborted) return
        this.#groups = this.#groups.map((group) => ({ ...group, completeness: means.get(group.key) }))
        this.#host.changed()
      },
      (error: unknown) => {
        if (!scoring.signal.aborted) this.#host.failed(error)
      },
    )
  }

  want(first: number, last: number): void {
    this.#wanted = { first, last }
    this.#pages.rest(this.#inViewKeys())
    this.#view.look(
      this.#spans()
        .map(({ group }) => group)
        .join(),
    )
  }

  hold(first: number, last: number): Promise<void> {
    const range = `${first} ${last}`
    if (range !== this.#range) {
      this.#range = range
      this.#holding = this.#readHeld(first, last)
    }
    return this.#holding
  }

  async #readHeld(first: number, last: number): Promise<void> {
    for (const pages of this.#pages.all()) void pages.hold(0, -1)
    const layout = this.#layout
    const held = (this.#held = layout.within(first, last))
    for (const { group, ...rows } of held) {
      // Another range, or other groups.
      if (this.#held !== held || this.#layout !== layout) return
      await this.#pages.use(this.#groups[group]!.key).hold(rows.first, rows.last)
    }
  }

  moving(): readonly number[] {
    if (!this.#mayMove) return []
    const { isMoving } = this.#host
    return [...this.entries()].flatMap(([index, row]) => (isMoving(row) ? [index] : []))
  }

  renew(): void {
    this.#hasFailed = false
    this.#mayMove = false
    void this.#load()
  }

  tryAgain(): void {
    this.#hasFailed = false
    if (this.#isOutdated) void this.#load()
    for (const pages of this.#pages.all()) pages.tryAgain()
  }

  update(change: (row: Row) => Row | undefined): void {
    const keys = new Set(this.#groups.map(({ key }) => key))
    const { by, markMoving, recordOf } = this.#host
    for (const group of this.#groups)
      this.#pages.of(group.key)?.update((row) => {
        const next = change(row)
        if (next === undefined) return undefined
        const marked = markMoving(next, !belongs(recordOf(next), group, by, (value) => keys.has(keyOf(value))))
        if (marked !== next) this.#mayMove = true
        return marked
      })
  }

  *entries(): Generator<readonly [index: number, row: Row]> {
    for (const [group, { key }] of this.#groups.entries())
      for (const [record, row] of this.#pages.of(key)?.entries() ?? []) {
        const index = this.#layout.rowOf(group, record)
        if (index !== undefined) yield [index, row]
      }
  }

  close(): void {
    this.#view.close()
    this.#loading?.abort()
    this.#scoring?.abort()
    for (const pages of this.#pages.all()) pages.close()
  }

  #folds(): Folds {
    return readFolds(this.#host.console.preferences, this.#host.foldsOf)
  }

  #keep(folds: Folds): void {
    writeFolds(this.#host.console.preferences, this.#host.foldsOf, folds)
    this.#relay()
  }

  #spans(): GroupSpan[] {
    return this.#layout.within(this.#wanted.first, this.#wanted.last)
  }

  #inViewKeys(): ReadonlySet<string> {
    return new Set(this.#spans().map(({ group }) => this.#groups[group]!.key))
  }

  #ask(): void {
    if (this.#hasFailed || this.#loading !== undefined) return
    for (const { group, first, last } of this.#spans()) this.#pages.use(this.#groups[group]!.key).want(first, last)
    this.#pages.forgetOldest(this.#inViewKeys())
  }

  #newPages(key: string): PageStore<Row> {
    const criterion = () => this.#groups.find((group) => group.key === key)!.criterion
    return this.#host.newPages(
      (page, stop) => this.#host.readRows(criterion(), page, stop),
      () => this.#rowsChanged(key),
    )
  }

  /** Called when rows of a group were read: their number may have changed since they were counted. */
  #rowsChanged(key: string): void {
    const { total, isCurrent } = this.#pages.of(key) ?? {}
    const group = this.#groups.find((one) => one.key === key)
    if (group !== undefined && total !== undefined && isCurrent === true && total !== group.count) {
      this.#groups = this.#groups.map((one) => (one === group ? { ...one, count: total } : one))
      this.#relay()
    } else this.#host.changed()
  }

  #relay(): void {
    this.#range = ''
    this.#layout = new GroupLayout(this.#groups.map(({ key, count }) => ({ count, isFolded: this.isFolded(key) })))
    this.#host.changed()
  }

  async #load(): Promise<void> {
    this.#loading?.abort()
    const loading = new AbortController()
    this.#loading = loading
    this.#host.changed()
    try {
      const { groups, total, hasMore } = await readGroups(this.#host, this.#most, loading.signal)
      if (loading.signal.aborted) return
      this.#hasMore = hasMore
      this.#loading = undefined
      this.#isOutdated = false
      // The new groups show that their rows are loading.
      batch(() => this.#take(groups, total))
      this.score()
    } catch (error) {
      if (loading.signal.aborted) return
      this.#loading = undefined
      this.#hasFailed = this.#total === undefined
      this.#isOutdated = true
      this.#host.failed(error)
      this.#host.changed()
    }
  }

  #take(groups: readonly RowGroup[], total: number): void {
    const means = new Map(this.#groups.map(({ key, completeness }) => [key, completeness]))
    this.#groups = groups.map((group) => ({ ...group, completeness: means.get(group.key) }))
    this.#total = total
    this.#pages.keepOnly(new Set(groups.map(({ key }) => key)))
    this.#relay()
    for (const pages of this.#pages.all()) pages.renew()
    this.#ask()
  }
}
