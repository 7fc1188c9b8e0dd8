// The rows of the sheet: one list, or groups. The tools of groups are loaded on first use.
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { GroupHost, GroupRows, GroupTools } from '../grid/groups.ts'
import { type PageAnswer, type PageQuestion, PageStore, type ReadPage, type RowStore } from '../grid/page-store.ts'
import type { Console } from '../state/console.ts'
import { type RecordRow, withMoving } from './rows.ts'

/** The grouping of the present question. */
export type GroupsNow = Pick<GroupHost<RecordRow>, 'by' | 'schemaId' | 'selection' | 'isDown' | 'scope' | 'foldsOf'>

interface RowSourceHost {
  readonly console: Console
  /** @param within the criterion of a group */
  readonly read: (page: PageQuestion, stop: AbortSignal, within?: Criterion) => Promise<PageAnswer<RecordRow>>
  readonly changed: () => void
  readonly failed: (error: unknown) => void
  readonly groupsNow: () => GroupsNow
}

export class RowSource {
  groups: GroupRows<RecordRow> | undefined
  tools: GroupTools | undefined
  readonly #host: RowSourceHost
  readonly #list: PageStore<RecordRow>
  readonly #load: (() => Promise<GroupTools | undefined>) | undefined
  /** The grouping of `groups`, and the latest requested grouping. */
  #groupsOf: string | undefined
  #asked: string | undefined

  /** @param load loads the tools; undefined: the rows are always one list */
  constructor(host: RowSourceHost, load?: () => Promise<GroupTools | undefined>) {
    this.#host = host
    this.#load = load
    this.#list = this.#newPages((page, stop) => host.read(page, stop), host.changed)
  }

  get store(): RowStore<RecordRow> {
    return this.groups ?? this.#list
  }

  /** Loads the tools of groups; undefined: they cannot be loaded. */
  async loadTools(): Promise<GroupTools | undefined> {
    this.tools ??= await this.#load?.()
    return this.tools
  }

  /** Reads the rows, or reads them again. @param group undefined: one list */
  read(group: string | undefined): void {
    this.#asked = group
    if (group === undefined || this.#load === undefined) this.#readList()
    else void this.#readGroups(group)
  }

  close(): void {
    this.#asked = undefined
    this.#list.close()
    this.groups?.close()
  }

  #readList(): void {
    this.groups?.close()
    this.groups = this.#groupsOf = undefined
    this.#list.renew((page, stop) => this.#host.read(page, stop))
    // The height of the sheet depends on the first page, so it is requested before anything is drawn.
    if (this.#list.total === undefined) this.#list.want(0, 0)
  }

  async #readGroups(group: string): Promise<void> {
    const tools = await this.loadTools()
    // The user has chosen another grouping meanwhile.
    if (this.#asked !== group) return
    if (tools === undefined) {
      this.#readList()
      return
    }
    if (this.#groupsOf !== group) {
      this.groups?.close()
      this.groups = tools.makeRows<RecordRow>({
        ...this.#host.groupsNow(),
        console: this.#host.console,
        recordOf: ({ record }) => record,
        isMoving: ({ state }) => state === 'moving',
        markMoving: withMoving,
        readRows: (criterion, page, stop) => this.#host.read(page, stop, criterion),
        newPages: (read, changed) => this.#newPages(read, changed),
        changed: this.#host.changed,
        failed: this.#host.failed,
      })
      this.#groupsOf = group
    }
    this.groups!.renew()
  }

  #newPages(read: ReadPage<RecordRow>, changed: () => void): PageStore<RecordRow> {
    const { browser } = this.#host.console
    return new PageStore<RecordRow>(
      read,
      { changed, failed: this.#host.failed },
      { now: () => browser.now(), later: (work, milliseconds) => browser.after(milliseconds, work) },
    )
  }
}
