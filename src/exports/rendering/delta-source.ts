// The content of a delta: records that changed since the last delivered file, and delivered records that are deleted or no
// longer match. Reads the change feed, and all records only if something that they depend on has changed. Contract 3 §5, 3 §10.
import { createHash } from 'node:crypto'
import type { FeedBasis, FeedResult, MemberView } from '../rules/feed-state.ts'
import { catalogsOf, type ExportColumn } from '../rules/export-columns.ts'
import { catalogsInFiles, linkedFiles } from '../rules/job-files.ts'
import { linkedSchemas } from '../rules/linked-columns.ts'
import type { Schema } from '../../core/model/rules/model.ts'
import type { FoundOptions, FoundSnapshot, SnapshotRecord } from '../../store/snapshot-port.ts'
import type { SearchQuery } from '../../store/search-port.ts'
import type { ExportSelection, FeedOrder } from './render-messages.ts'
import { own } from '../../kernel/own.ts'

/** Up to so many records are searched by ID; beyond that, all records are read. */
const MAX_ASKED = 20_000
const AT_ONCE = 1000

export class DeltaSource {
  readonly result: FeedResult
  readonly #snapshot: FoundSnapshot
  readonly #since: (FeedResult & MemberView) | undefined
  /** undefined: all. */
  readonly #changed: ReadonlySet<string> | undefined
  /** The changed records that the file contains. */
  readonly #matching = new Set<string>()

  private constructor(
    snapshot: FoundSnapshot,
    result: FeedResult,
    since: FeedOrder['since'],
    changed: ReadonlySet<string> | undefined,
  ) {
    this.#snapshot = snapshot
    this.result = result
    this.#since = since
    this.#changed = changed
  }

  static async open(
    snapshot: FoundSnapshot,
    selection: ExportSelection,
    query: SearchQuery,
    { since }: FeedOrder,
  ): Promise<DeltaSource> {
    const basis = await basisOf(snapshot, selection, query)
    const result = { position: await snapshot.feed.position(), basis }
    const changed = since && (await changedSince(since, basis, snapshot, linksOf(selection)))
    return new DeltaSource(snapshot, result, since, changed)
  }

  /** Every call starts at the first record. */
  async *batches(options: FoundOptions): AsyncGenerator<SnapshotRecord[], void> {
    this.#matching.clear()
    const changed = this.#changed
    const isFew = changed !== undefined && changed.size <= MAX_ASKED
    for await (const batch of this.#snapshot.batches(isFew ? { ...options, ids: [...changed] } : options)) {
      const wanted = changed === undefined || isFew ? batch : batch.filter(({ id }) => changed.has(id))
      if (this.#since !== undefined) for (const { id } of wanted) this.#matching.add(id)
      yield wanted
    }
  }

  /** Delivered records that the destination must delete. Call it after all batches were read. */
  async *gone(): AsyncGenerator<string[], void> {
    const since = this.#since
    if (since === undefined) return
    for await (const ids of this.#candidates(since)) {
      const gone = ids.filter((id) => !this.#matching.has(id))
      if (gone.length > 0) yield gone
    }
  }

  async *#candidates(view: MemberView): AsyncGenerator<string[], void> {
    const { feed } = this.#snapshot
    if (this.#changed !== undefined) {
      const changed = [...this.#changed]
      for (let first = 0; first < changed.length; first += AT_ONCE)
        yield await feed.membersAmong(view, changed.slice(first, first + AT_ONCE))
      return
    }
    for (let last = ''; ;) {
      const ids = await feed.membersAfter(view, last, AT_ONCE)
      if (ids.length === 0) return
      yield ids
      last = ids.at(-1)!
    }
  }
}

async function changedSince(
  { position, basis: before }: FeedResult,
  basis: FeedBasis,
  { feed }: FoundSnapshot,
  links: readonly string[],
): Promise<Set<string> | undefined> {
  if (before.general !== basis.general) return undefined
  const changed = await feed.changedSince(position)
  if (changed === undefined) return undefined
  const other = Object.keys(basis.schemas).filter((id) => own(before.schemas, id) !== basis.schemas[id])
  const ids = new Set([...changed, ...(other.length === 0 ? [] : await feed.ofSchemas(other))])
  for (const id of await feed.variantsOf([...ids])) ids.add(id)
  if (links.length === 0) return ids
  const referrers = await feed.referrersOf([...ids], links)
  for (const id of [...referrers, ...(await feed.variantsOf(referrers))]) ids.add(id)
  return ids
}

/** Attributes that name records whose values are in the file. */
function linksOf({ columns, files }: ExportSelection): string[] {
  const inColumns = (columns ?? []).flatMap(({ attributeAlias, via }: ExportColumn) =>
    via === undefined ? [] : attributeAlias!,
  )
  return [...inColumns, ...(files?.settings.attributes ?? [])]
}

async function basisOf(
  { model, feed }: FoundSnapshot,
  selection: ExportSelection,
  query: SearchQuery,
): Promise<FeedBasis> {
  const { find, schemaId } = query
  const { dimensions, workflows, roles } = model
  const role = roles.get(selection.roleId)
  const categories = dependsOnCategories(selection, query) ? await feed.categories() : ''
  const asked = [...model.schemas.values()].filter(({ id }) => schemaId === undefined || id === schemaId)
  const { files } = selection
  const inFiles = linkedFiles(files?.settings.attributes ?? [], asked, model).map(({ schema }) => schema)
  const inColumns = (selection.columns ?? []).flatMap((column) => linkedSchemas(column, asked, model))
  const linked = [...inColumns, ...inFiles].map(digestOf)
  const { addresses } = selection
  const ofAll = [find, schemaId, role, [...dimensions.values()], [...workflows.values()], categories]
  const ofLinks =
    addresses === null && files === null && linked.length === 0
      ? []
      : [linked, addresses && digest(addresses), ...(files === null ? [] : [files])]
  const general = digest([...ofAll, ...ofLinks])
  return { general, schemas: Object.fromEntries(asked.map((schema) => [schema.id, digestOf(schema)])) }
}

function dependsOnCategories({ columns, files }: ExportSelection, { find }: SearchQuery): boolean {
  const catalogIds = [...catalogsOf(columns ?? []), ...catalogsInFiles(files?.settings ?? null)]
  return catalogIds.length > 0 || /"field":"(catalogId|categoryId)"/.test(JSON.stringify(find))
}

function digestOf({ id, workflowId, attributes, combinations }: Schema): string {
  return digest([id, workflowId, attributes, combinations])
}

function digest(what: unknown): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('base64url')
}
