// The extra members of each found or listed record. Contract 3 §1, 3 §10, 3 §11.
import * as v from 'valibot'
import { assertFewCombinations } from '../../records/rules/combination-scores.ts'
import { denied, invalid, shorten } from '../../../kernel/errors.ts'
import { firstDuplicate, listOf } from '../../../kernel/input/validation.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import { findScopeFault } from '../../model/rules/schema.ts'
import type { Scope } from '../../scopes/scope.ts'
import { ScopeInput } from './criterion.ts'

export const ITEM_MEMBERS = [
  'completeness',
  'effectiveValues',
  'categories',
  'variantCount',
  'version',
  'image',
] as const
export type ItemMember = (typeof ITEM_MEMBERS)[number]
/** Further members for a single record. */
export const RECORD_MEMBERS = [...ITEM_MEMBERS, 'transitions', 'variants'] as const
export type RecordMember = (typeof RECORD_MEMBERS)[number]

/** A schema has at most this many attributes. */
const MAX_SELECTED = 1000

/** Members of the body of a search. */
export const ITEM_VIEW_MEMBERS = {
  select: v.optional(
    v.pipe(
      listOf(v.pipe(v.string('must be a string'), v.maxLength(64, 'must be at most 64 characters long')), MAX_SELECTED),
      v.description(
        'Aliases: only these attributes are sent in `values`, `effectiveValues` and `resolved`. `[]`: none. Default: all.',
      ),
    ),
  ),
  include: v.optional(
    v.pipe(
      listOf(v.picklist(ITEM_MEMBERS, `must be one of ${ITEM_MEMBERS.join(', ')}`), ITEM_MEMBERS.length),
      v.description('Members to add to each item.'),
    ),
  ),
  stateId: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.description(
        "The state whose required attributes `completeness` counts: by default the target of the first transition that leaves the record's state and requires completeness, else that state itself.",
      ),
    ),
  ),
  resolve: v.optional(
    v.pipe(
      ScopeInput,
      v.description(
        'A scope: each item gets `resolved`, the effective value of each attribute in that scope. For dimensions that the scope does not name, only unscoped values count.',
      ),
    ),
  ),
  completenessBy: v.optional(
    v.pipe(
      v.picklist(['combination'], "must be 'combination'"),
      v.description('Adds `combinations` to `completeness`: the score of each combination of segments.'),
    ),
  ),
}

export interface ItemView {
  /** Aliases; undefined: all. */
  readonly select?: readonly string[] | undefined
  readonly include?: readonly RecordMember[] | undefined
  readonly stateId?: string | undefined
  readonly resolve?: Scope | undefined
  readonly completenessBy?: 'combination' | undefined
}

/** Picks the view from the members of a body. */
export function itemViewOf({ select, include, stateId, resolve, completenessBy }: ItemView): ItemView {
  return { select, include, stateId, resolve, completenessBy }
}

/** Whether items are plain records, without changed members. */
export function isPlain({ select, include = [], resolve }: ItemView): boolean {
  return select === undefined && include.length === 0 && resolve === undefined
}

/** True if the view adds only the first picture to the plain record. */
export function isPlainWithImage({ select, include = [], resolve }: ItemView): boolean {
  return select === undefined && resolve === undefined && include.length === 1 && include[0] === 'image'
}

/**
 * @param schemas searched schemas; empty: nothing will be found, but names must still exist
 * @throws VALIDATION_ERROR naming the member
 * @throws PERMISSION_DENIED for an attribute that the role may not read in one of the schemas
 */
export function assertItemView(view: ItemView, schemas: readonly Schema[], model: Model, role: Role): void {
  const { select = [], stateId, resolve, completenessBy } = view
  const known = schemas.length > 0 ? schemas : [...model.schemas.values()]
  for (const alias of select) assertSelectable(alias, known, schemas, role)
  if (stateId !== undefined) assertStateOfAny(stateId, known, model)
  const fault = resolve && findScopeFault(resolve, model)
  if (fault !== undefined) throw invalid(`resolve ${fault}`)
  if (completenessBy !== undefined && view.include?.includes('completeness') === true)
    assertFewCombinations(schemas, stateId, model, 'completenessBy')
}

function assertSelectable(alias: string, known: readonly Schema[], schemas: readonly Schema[], role: Role): void {
  if (!known.some((schema) => schema.attribute(alias)))
    throw invalid(`select names the unknown attribute '${shorten(alias, 64)}'`)
  const hidden = schemas.find((schema) => schema.attribute(alias) && !canRead(role, schema.id, alias))
  if (hidden !== undefined) throw denied(`Your role may not read the attribute '${alias}'`)
}

function assertStateOfAny(stateId: string, schemas: readonly Schema[], { workflows }: Model): void {
  const isKnown = schemas.some(({ workflowId }) =>
    workflows.get(workflowId)?.states.some((state) => state.id === stateId),
  )
  if (!isKnown)
    throw invalid(`stateId names '${shorten(stateId, 128)}', which is not a state of a workflow that is searched`)
}

/** Parses the aliases of `select` in a query, separated by commas. @throws VALIDATION_ERROR for too many */
export function parseSelect(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const aliases = text.trim() === '' ? [] : text.split(',').map((alias) => alias.trim())
  if (aliases.length > MAX_SELECTED) throw invalid(`select must have at most ${MAX_SELECTED} items`)
  return aliases
}

/**
 * Parses the members of `include` in a query, separated by commas.
 * @throws VALIDATION_ERROR for a name that is unknown or occurs twice
 */
export function parseInclude<Member extends RecordMember>(
  text: string | undefined,
  known: readonly Member[],
): Member[] {
  if (text === undefined) return []
  const names = text.split(',', known.length + 1).map((name) => name.trim())
  const unknown = names.find((name) => !(known as readonly string[]).includes(name))
  if (unknown !== undefined) throw invalid(`include must be among ${known.join(', ')}, separated by commas`)
  const twice = firstDuplicate(names)
  if (twice !== undefined) throw invalid(`include names '${twice}' twice`)
  return names as Member[]
}
