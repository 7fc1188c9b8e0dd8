// Searches for the records of the sheet: pages, single records, counts. Contract 3 §1, 3 §11.
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import type { SortKey } from '../../src/core/search/rules/sorting.ts'
import type { CallOptions } from '../api/call.ts'
import type { PageAnswer, PageQuestion } from '../grid/page-store.ts'
import type { Console } from '../state/console.ts'
import { selectOf, type SheetColumn } from './columns.ts'
import { type FoundRecord, type RecordRow, rowOf } from './rows.ts'

type Call = Console['call']
type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>
/** The members of each record. */
export type ItemView = Pick<SearchBody, 'select' | 'include'>

interface Shown {
  readonly columns: readonly SheetColumn[]
  readonly label: string | undefined
  /** The image attribute of a wall. */
  readonly wallImage: string | undefined
  readonly isWall: boolean
  readonly hasVariants: boolean
}

export function viewOfItems({ columns, label, wallImage, isWall, hasVariants }: Shown): ItemView {
  const fields = new Set(columns.map((column) => (column.kind === 'field' ? column.field : '')))
  return {
    select: selectOf(columns, [label, wallImage]),
    include: [
      ...(fields.has('completeness') ? (['completeness'] as const) : []),
      ...(isWall || fields.has('image') ? (['image'] as const) : []),
      ...(fields.has('variantCount') ? (['variantCount'] as const) : []),
      ...(hasVariants ? (['effectiveValues'] as const) : []),
    ],
  }
}

interface Asked {
  readonly selection: Selection
  readonly sort: readonly SortKey[]
  /** The criterion of a group. */
  readonly within: Criterion | undefined
}

export async function readPage(
  call: Call,
  { selection: all, sort, within }: Asked,
  view: ItemView,
  { offset, after, limit, total }: PageQuestion,
  stop: AbortSignal,
): Promise<PageAnswer<RecordRow> & { readonly readAt: number }> {
  const selection = within === undefined ? all : { ...all, criteria: [...all.criteria, within] }
  const place = after === undefined ? { offset } : { after }
  const order = sort.length === 0 ? {} : { sort }
  const body = { ...selection, ...order, ...view, ...place, limit, total } as unknown as SearchBody
  const answer = await call('POST /api/v1/search', { body, signal: stop })
  const readAt = Date.parse(answer.headers.get('Date') ?? '')
  return { rows: answer.body.map(rowOf), total: answer.total, next: answer.next, readAt }
}

/** Reads these records again; some may no longer match the selection. */
export async function readAgain(
  call: Call,
  selection: Selection,
  view: ItemView,
  ids: readonly string[],
): Promise<{ readonly records: readonly FoundRecord[]; readonly matching: ReadonlySet<string> }> {
  const among = { field: 'id', operator: 'in', value: [...ids] } as const
  const page = { limit: ids.length, total: false }
  const asked = call('POST /api/v1/search', {
    body: { criteria: [among], criteriaOperator: 'and', ...view, ...page },
  })
  const matched = call('POST /api/v1/search', {
    body: { ...selection, criteria: [...selection.criteria, among], select: [], ...page },
  })
  const [{ body: records }, { body: matching }] = await Promise.all([asked, matched])
  return { records, matching: new Set(matching.map(({ id }) => id)) }
}

export async function countRecords(call: Call, selection: Selection, stop?: AbortSignal): Promise<number> {
  const body = { ...selection, select: [], limit: 1 } as unknown as SearchBody
  return (await call('POST /api/v1/search', { body, signal: stop })).total ?? 0
}
