// The categories of a record. Changing them changes the record like any other write: audit entry, version, change feed.
// Contract 3 §3, 3 §10.
import { type CategoryPlace, type ChangeOrigin, diffCategories } from './rules/changes.ts'
import { invalid } from '../../kernel/errors.ts'
import { firstDuplicate } from '../../kernel/input/validation.ts'
import { MAX_ASSIGNMENTS } from '../model/rules/catalog.ts'
import { addPlaces } from './rules/batch-operations.ts'
import type { CategoryReads } from '../../store/category-port.ts'
import type { RecordTransaction, Transaction } from '../../store/port.ts'
import type { StoredRecord } from '../../store/record-port.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../accounts/caller.ts'
import { appendAudit } from './record-writing.ts'

interface CategoryUpdate {
  readonly record: StoredRecord
  /** All places that the record gets, in existing categories. */
  readonly places: readonly CategoryPlace[]
  /** Undefined: the request of the caller. */
  readonly origin?: ChangeOrigin | undefined
}

/** The part of a transaction that assigning needs. */
export type AssigningTransaction = RecordTransaction & {
  readonly categories: Pick<Transaction['categories'], 'assignmentsOf' | 'existing' | 'named' | 'setAssignments'>
}

/** Replaces the record's assignments. Resolves to the record after the change; it stays the same if its assignments do. */
export async function assignCategories(
  tx: AssigningTransaction,
  system: System,
  caller: Caller,
  { record, places, origin }: CategoryUpdate,
): Promise<StoredRecord> {
  const { id: recordId, schemaId } = record
  const before = await tx.categories.assignmentsOf(recordId)
  if (diffCategories(before, places).length === 0) return record
  await tx.categories.setAssignments(recordId, places)
  // The assignments are read again in the stored order, because the body may have any order.
  const changes = diffCategories(before, await tx.categories.assignmentsOf(recordId))
  const timestamp = system.now().toISOString()
  const what = { recordId, schemaId, action: 'update', changes, timestamp, origin } as const
  const version = appendAudit(tx, system, caller, what)
  const updated: StoredRecord = { ...record, updatedAt: timestamp, updatedBy: caller.id, version }
  await tx.records.update(record, updated)
  return updated
}

interface PlaceReads {
  readonly categories: Pick<CategoryReads, 'existing'>
}

/** A change of categories in the form of a request. */
export type CategoryStep =
  | { readonly op: 'setCategories' | 'addCategories'; readonly categories: readonly PlaceInput[] }
  | { readonly op: 'removeCategories'; readonly categories: readonly string[] }

interface PlaceInput {
  readonly categoryId: string
  readonly sortOrder?: number | undefined
}

/**
 * Returns the places of a record after the step, from its places `before`. `member` names the member of the body with
 * the categories.
 * @throws VALIDATION_ERROR naming a category that is unknown or occurs twice, or for too many
 */
export async function placesAfter(
  reads: PlaceReads,
  before: readonly CategoryPlace[],
  { op, categories }: CategoryStep,
  member: string,
): Promise<readonly CategoryPlace[]> {
  const isById = op === 'removeCategories'
  const named = isById ? categories.map((categoryId) => ({ categoryId })) : categories
  await assertCategoriesExist(reads, named, { member, isById })
  if (op === 'setCategories') return addPlaces([], named)
  const gone = new Set(named.map(({ categoryId }) => categoryId))
  if (op === 'removeCategories') return before.filter(({ categoryId }) => !gone.has(categoryId))
  const places = addPlaces(before, named)
  if (places.length > MAX_ASSIGNMENTS)
    throw invalid(`${member}: a record may have at most ${MAX_ASSIGNMENTS} categories`)
  return places
}

/** `member`: name of the list in messages; without `member` the list is the body. `isById`: the client sent a list of IDs. */
export async function assertCategoriesExist(
  reads: PlaceReads,
  input: readonly { readonly categoryId: string }[],
  { member = '', isById = false }: { readonly member?: string; readonly isById?: boolean } = {},
): Promise<void> {
  const twice = firstDuplicate(input.map((assignment) => assignment.categoryId))
  if (twice !== undefined) throw invalid(`${member === '' ? 'categoryId' : member}: '${twice}' occurs twice`)
  const existing = await reads.categories.existing(input.map(({ categoryId }) => categoryId))
  const unknown = input.findIndex(({ categoryId }) => !existing.has(categoryId))
  if (unknown !== -1)
    throw invalid(
      `${member}[${unknown}]${isById ? '' : '.categoryId'} names the unknown category '${input[unknown]!.categoryId}'`,
    )
}
