// Shapes of operations that are sent together, and of their outcomes. Contract 3 §2, 3 §10.
import * as v from 'valibot'
import { ERROR_CODES } from '../../../kernel/errors.ts'
import { suggest } from '../../../kernel/input/exact-object.ts'
import { Id, listOf, SortOrder } from '../../../kernel/input/validation.ts'
import { MAX_ASSIGNMENTS } from '../../model/rules/catalog.ts'
import { MAX_OPERATIONS, OPERATIONS } from '../rules/batch-operations.ts'
import { parseIfMatch } from '../../../http/pipeline/preconditions.ts'
import { NewRecordBody, TransitionBody, ValuesBody } from './record-shapes.ts'
import { ScopedPatchBody } from '../rules/scoped-patch.ts'

/** A version, or the text of an `If-Match` header. */
const IfMatchMember = v.optional(
  v.pipe(
    v.union([v.number(), v.string()], 'must be a version or an ETag'),
    v.description('Same as the header If-Match: one or several ETags, or `*`. A number is a `version`.'),
  ),
)

/** Reads the member `ifMatch` like the header. */
export function readIfMatch(ifMatch: number | string | undefined) {
  const isVersion = typeof ifMatch === 'number' || (ifMatch !== undefined && /^\d+$/.test(ifMatch))
  return parseIfMatch(isVersion ? `"${ifMatch}"` : ifMatch)
}

const ofRecord = { id: v.string('must be a string'), ifMatch: IfMatchMember }
const Places = listOf(v.object({ categoryId: Id, sortOrder: v.optional(SortOrder) }), MAX_ASSIGNMENTS)

export const CreateOperationShape = v.object({ op: v.literal('create'), ...NewRecordBody.entries })
export const UpdateOperationShape = v.object({ op: v.literal('update'), ...ofRecord, ...ValuesBody.entries })
export const PatchOperationShape = v.object({ op: v.literal('patch'), ...ofRecord, ...ScopedPatchBody.entries })
export const DeleteOperationShape = v.object({ op: v.literal('delete'), ...ofRecord })
export const TransitionOperationShape = v.object({
  op: v.literal('transition'),
  ...ofRecord,
  ...TransitionBody.entries,
})
export const SetCategoriesOperationShape = v.object({ op: v.literal('setCategories'), ...ofRecord, categories: Places })
export const AddCategoriesOperationShape = v.object({
  op: v.literal('addCategories'),
  ...ofRecord,
  categories: v.pipe(Places, v.description('Default: the current sortOrder of the assignment, otherwise 0.')),
})
export const RemoveCategoriesOperationShape = v.object({
  op: v.literal('removeCategories'),
  ...ofRecord,
  categories: v.pipe(listOf(Id, MAX_ASSIGNMENTS), v.description('IDs of categories.')),
})

export const OperationShape = v.pipe(
  v.variant(
    'op',
    [
      CreateOperationShape,
      UpdateOperationShape,
      PatchOperationShape,
      DeleteOperationShape,
      TransitionOperationShape,
      SetCategoriesOperationShape,
      AddCategoriesOperationShape,
      RemoveCategoriesOperationShape,
    ],
    ({ input }) =>
      typeof input === 'string' ? `names no operation${suggest(input, OPERATIONS)}` : 'must be an operation',
  ),
  v.description('`op` selects the operation.'),
)

export const BatchBody = v.object({
  atomic: v.pipe(
    v.optional(v.boolean('must be true or false'), true),
    v.description('All or nothing. false: each operation stands alone, and the others are applied if it fails.'),
  ),
  operations: v.pipe(listOf(OperationShape, MAX_OPERATIONS), v.description('Applied in this order.')),
})

export const OperationResultShape = v.object({
  index: v.pipe(v.number(), v.description('The position of the operation in the request.')),
  status: v.pipe(v.number(), v.description('The status that its own endpoint would have answered.')),
  id: v.optional(v.pipe(v.string(), v.description('The ID of the record.'))),
  version: v.optional(
    v.pipe(v.number(), v.description('The version of the record afterwards; absent if the record was deleted.')),
  ),
  error: v.optional(v.picklist(ERROR_CODES)),
  message: v.optional(v.string()),
})

export const BatchResultShape = v.object({ results: v.array(OperationResultShape) })
