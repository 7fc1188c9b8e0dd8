// The state of the sheet of records: the query in the address, the columns, the rows in pages, the selection. Signals,
// no DOM. Contract 3 §1 (search), 3 §11.
import { batch, computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import type { GroupBy, GroupRows, GroupTools } from '../grid/groups.ts'
import type { PageAnswer, PageQuestion, RowStore } from '../grid/page-store.ts'
import { NOTHING_SELECTED, type SelectedRecords } from '../grid/selection.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import type { SortKey } from '../../src/core/search/rules/sorting.ts'
import { type Column, parseColumns, writeColumns } from '../state/addresses.ts'
import type { Console } from '../state/console.ts'
import type { SeenSchema } from '../state/model.ts'
import { type ColumnSource, firstColumns, resolveColumns, type SheetColumn, toColumn } from './columns.ts'
import { ReferredNames } from './referred-names.ts'
import { type GroupColumn, groupBy, groupColumn } from './grouping.ts'
import { knownQuery, readQuery, type RecordsQuery, toSelection, writeQuery } from '../filters/query.ts'
import { type GroupsNow, RowSource } from './row-source.ts'
import { t } from '../words/place.ts'
import { countRecords, type ItemView, readAgain, readPage, viewOfItems } from './record-reads.ts'
import { type RecordRow, refusedTexts } from './rows.ts'
import { sortedBy } from './sheet-columns.ts'

/** A query of the sheet: another query ends the selection and scrolls to the top. */
interface Question {
  readonly selection: Selection
  readonly sort: readonly SortKey[]
  readonly group?: string | undefined
}

/** The most lost texts that one message repeats. */
const MOST_LOST = 20

interface Stale {
  readonly count: number
  /** True: further records changed, which are not counted. */
  readonly hasMore: boolean
}

const NOTHING_STALE: Stale = { count: 0, hasMore: false }

export class RecordsState {
  readonly console: Console
  readonly #rows: RowSource
  /** Changes with the rows. */
  readonly revision = signal(0)
  readonly error = signal<Error | undefined>(undefined)
  readonly selected = signal<SelectedRecords>(NOTHING_SELECTED)
  /** Records that somebody else made or changed, and that the sheet shows in an old version or not at all. */
  readonly stale = signal<Stale>(NOTHING_STALE)
  /** Time of the server's answer with the first of these rows, in milliseconds of its clock, rounded down to the second. */
  readAt: number | undefined
  /** Records that this page made: their events are no news. */
  readonly made = new Set<string>()
  readonly schema: ReadonlySignal<SeenSchema | undefined>
  /** True: the schema of the address does not exist, so the rows belong to another schema. */
  readonly #isGone: ReadonlySignal<boolean>
  readonly query: ReadonlySignal<RecordsQuery>
  readonly columns: ReadonlySignal<readonly SheetColumn[]>
  readonly scope: ReadonlySignal<Scope>
  readonly question: ReadonlySignal<Question>
  readonly groupColumn: ReadonlySignal<GroupColumn | undefined>
  readonly names = new ReferredNames(this)
  /** Whether the records have pictures, and whether a wall of pictures shows them. */
  readonly hasWall: ReadonlySignal<boolean>
  readonly isWall: ReadonlySignal<boolean>
  readonly #stops: (() => void)[] = []

  /** @param loadTools loads the place of groups; undefined: the rows are always one list */
  constructor(console: Console, loadTools?: () => Promise<GroupTools | undefined>) {
    this.console = console
    const { router, model, scope } = console
    this.scope = scope.current
    this.schema = computed(() => {
      const asked = router.query.value['schema']
      const schemas = model.schemas.value
      return schemas.find(({ id }) => id === asked) ?? schemas.find(({ id }) => id === this.#lastSchema()) ?? schemas[0]
    })
    this.#isGone = computed(() => {
      const { id } = this.schema.value ?? {}
      return id !== undefined && id !== (router.query.value['schema'] ?? id)
    })
    this.query = computed(() => {
      const query = { ...readQuery(router.query.value), schemaId: this.schema.value?.id ?? '' }
      return knownQuery(query, (alias) => this.access(alias) !== 'none')
    })
    this.columns = computed(() => {
      const source = this.columnSource()
      if (source === undefined) return []
      const asked = resolveColumns(parseColumns(router.query.value['cols'] ?? ''), source)
      // Columns of another schema are no columns here.
      return asked.length > 0 ? asked : resolveColumns(firstColumns(source), source)
    })
    this.hasWall = computed(() => this.#hasWall())
    this.isWall = computed(() => router.query.value['as'] === 'wall' && this.hasWall.value)
    this.groupColumn = computed(() => this.#groupColumn())
    const text = computed(() => JSON.stringify(this.#makeQuestion()))
    this.question = computed(() => JSON.parse(text.value) as Question)
    this.#rows = new RowSource(
      {
        console,
        read: (page, stop, within) => this.#read(page, stop, within),
        changed: () => {
          this.revision.value = this.revision.peek() + 1
        },
        failed: (error) => {
          this.error.value = error instanceof Error ? error : new Error(String(error))
        },
        groupsNow: () => this.#groupsNow(),
      },
      loadTools,
    )
  }

  get store(): RowStore<RecordRow> {
    return this.#rows.store
  }

  /** Undefined: the rows are one list. */
  get groups(): GroupRows<RecordRow> | undefined {
    return this.#rows.groups
  }

  get groupTools(): GroupTools | undefined {
    return this.#rows.tools
  }

  /** Loads the tools of groups; undefined: they cannot be loaded. */
  loadTools(): Promise<GroupTools | undefined> {
    return this.#rows.loadTools()
  }

  /** Undefined: the rows are one list. */
  groupBy(): GroupBy | undefined {
    const [column, schema] = [this.groupColumn.value, this.schema.value]
    return column && schema && groupBy(column, schema, this.scope.value)
  }

  access(alias: string): 'none' | 'read' | 'write' {
    const schema = this.schema.value
    return schema?.rules.attribute(alias) === undefined ? 'none' : this.console.model.access(schema.id, alias)
  }

  columnSource(): ColumnSource | undefined {
    const schema = this.schema.value
    if (schema === undefined) return undefined
    const { attributes, labelAttribute, imageAttribute } = schema
    const hasImage = imageAttribute !== undefined && this.access(imageAttribute) !== 'none'
    return { attributes, labelAttribute, hasImage, access: (alias) => this.access(alias) }
  }

  /** Reports typed texts that were lost with their cells, and a deleted schema. */
  tellLost(texts: readonly string[]): void {
    const said = [
      ...(this.#isGone.peek() ? [t('records.schemaGone')] : []),
      ...(texts.length > 0 ? [t('records.rowMoved', { text: texts.slice(0, MOST_LOST).join('; ') })] : []),
    ]
    this.console.status.complain(said.join(' '))
  }

  /** Reads the rows, and reads them again whenever the query or the columns change. `close` ends that. */
  start(onQuestion: () => void): void {
    const { router, preferences } = this.console
    let asked: Question | undefined
    const columnsRead = computed(() => JSON.stringify(this.#viewOfItems()))
    this.#stops.push(
      effect(() => {
        const question = this.question.value
        void columnsRead.value
        if (this.schema.value === undefined) return
        const isOther = asked !== undefined && asked !== question
        asked = question
        untracked(() =>
          batch(() => {
            if (isOther) onQuestion()
            this.#begin()
            this.#rows.read(question.group)
          }),
        )
      }),
      effect(() => {
        void this.scope.value
        untracked(() => this.groups?.score())
      }),
      effect(() => {
        if (this.#isGone.value) queueMicrotask(() => this.tellLost(refusedTexts(this.store)))
      }),
      effect(() => {
        const { id } = this.schema.value ?? {}
        if (id !== undefined && router.query.value['schema'] === id && preferences.ofPlace('schema') !== id)
          queueMicrotask(() => preferences.setPlace('schema', id))
      }),
    )
  }

  close(): void {
    for (const stop of this.#stops) stop()
    this.#stops.length = 0
    this.#rows.close()
    this.names.close()
  }

  #groupsNow(): GroupsNow {
    const { console, question, query, scope } = this
    const column = this.groupColumn.peek()!
    return {
      by: untracked(() => this.groupBy()!),
      schemaId: query.peek().schemaId,
      selection: () => question.peek().selection,
      isDown: () =>
        column.kind !== 'catalog' && sortedBy(column, { sort: query.peek().sort, bar: scope.peek() }) === 'desc',
      scope: () => scope.peek(),
      foldsOf: `${console.router.query.peek()['view'] ?? query.peek().schemaId} ${column.key}`,
    }
  }

  /** Changes the query; back returns to the previous one. */
  ask(changes: Partial<RecordsQuery>): void {
    this.console.router.setQuery(writeQuery({ ...this.query.peek(), ...changes }), { isStep: true })
  }

  showColumns(columns: readonly Column[]): void {
    this.console.router.setQuery({ cols: writeColumns(columns) })
  }

  changeColumns(change: (columns: readonly SheetColumn[]) => readonly SheetColumn[]): void {
    this.showColumns(change(this.columns.peek()).map(toColumn))
  }

  /** Divides the rows by the values of a column, in the order of the other sort keys. @param key undefined: no groups */
  group(key: string | undefined): void {
    this.console.router.setQuery({ group: key }, { isStep: true })
  }

  /** Reads the shown rows again. */
  renew(): void {
    this.#begin()
    this.store.renew()
  }

  #begin(): void {
    this.stale.value = NOTHING_STALE
    this.error.value = undefined
    this.readAt = undefined
  }

  /** Continues after a failure. */
  retry(): void {
    this.error.value = undefined
    this.store.tryAgain()
  }

  /** Reads these records again; some may no longer match the query. */
  readAgain(ids: readonly string[]): ReturnType<typeof readAgain> {
    return readAgain(this.console.call, this.question.peek().selection, this.#viewOfItems(), ids)
  }

  /** The number of records that a query finds. */
  count(selection: Selection, stop?: AbortSignal): Promise<number> {
    return countRecords(this.console.call, selection, stop)
  }

  #hasWall(): boolean {
    const schema = this.schema.value
    const image = schema?.rules.attribute(schema.imageAttribute ?? '')
    return image?.dataType === 'file' && this.access(image.alias) !== 'none'
  }

  #lastSchema(): string {
    const kept = this.console.preferences.ofPlace('schema')
    return typeof kept === 'string' ? kept : ''
  }

  #makeQuestion(): Question {
    const query = this.query.value
    // Only the filter "missing" depends on the bar's scope; without it, a new scope keeps the query.
    const scope = query.missing.length > 0 ? this.scope.value : {}
    const by = this.groupBy()
    const group = by && JSON.stringify(by.kind === 'attribute' ? [by.attribute.alias, by.scope] : by)
    return { selection: toSelection(query, scope), sort: query.sort, group }
  }

  #viewOfItems(): ItemView {
    const { labelAttribute, imageAttribute } = this.schema.value ?? {}
    return viewOfItems({
      columns: this.columns.value,
      label: labelAttribute,
      wallImage: this.isWall.value ? imageAttribute : undefined,
      isWall: this.isWall.value,
      hasVariants: this.query.value.variants !== 'hidden',
    })
  }

  #groupColumn(): GroupColumn | undefined {
    const text = this.console.router.query.value['group'] ?? ''
    const source = text === '' || this.isWall.value ? undefined : this.columnSource()
    return source && groupColumn(text, source, this.console.model.workspace.value?.catalogs ?? [])
  }

  /** @param within the criterion of a group */
  async #read(page: PageQuestion, stop: AbortSignal, within?: Criterion): Promise<PageAnswer<RecordRow>> {
    const { selection, sort } = this.question.peek()
    const answer = await readPage(this.console.call, { selection, sort, within }, this.#viewOfItems(), page, stop)
    this.error.value = undefined
    this.readAt ??= answer.readAt
    return answer
  }
}
