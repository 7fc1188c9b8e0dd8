// Shapes of history: entries of the trail, of the model's history and of the change feed, and deleted records. Contract
// 1 §2.4, 3 §3.
import * as v from 'valibot'
import { AccountEntryShape } from '../../feed/rules/account-entry.ts'
import { MemberChangeShape, MODEL_ACTIONS, MODEL_ENTITY_TYPES } from '../../feed/rules/model-entry.ts'
import { AUDIT_ACTIONS, CHANGE_ORIGINS } from '../rules/changes.ts'
import { ScopeShape } from './record-shapes.ts'
import { Timestamp } from '../../../kernel/input/validation.ts'

export const AttributeChangeShape = v.object({
  attributeAlias: v.pipe(v.string(), v.description('`lifecycleState` in the entry of a transition.')),
  scope: ScopeShape,
  oldValue: v.unknown(),
  newValue: v.unknown(),
})

const Places = v.array(v.object({ categoryId: v.string(), sortOrder: v.number() }))
export const CategoriesChangeShape = v.object({
  field: v.literal('categories'),
  oldValue: Places,
  newValue: v.pipe(v.nullable(Places), v.description('null if the record was deleted.')),
})

export const ChangeOriginShape = v.object({
  kind: v.pipe(
    v.picklist(CHANGE_ORIGINS),
    v.description('The cause of the change. api: a single request. schema: a change of the model.'),
  ),
  id: v.optional(v.pipe(v.string(), v.description('The ID of the job that made the change, if any.'))),
})

export const AuditEntryShape = v.object({
  id: v.string(),
  entityId: v.string(),
  userId: v.string(),
  timestamp: Timestamp,
  action: v.picklist(AUDIT_ACTIONS),
  changes: v.array(v.union([AttributeChangeShape, CategoriesChangeShape])),
  version: v.pipe(v.number(), v.description('The version of the record after the change, as in its ETag.')),
  origin: ChangeOriginShape,
  erased: v.optional(
    v.pipe(v.literal(true), v.description('The changes were erased for good, so `changes` is empty.')),
  ),
})

export const DeletedRecordShape = v.object({
  entityId: v.string(),
  schemaId: v.string(),
  version: v.pipe(v.number(), v.description('The last version of the record, which can be restored.')),
  deletedAt: Timestamp,
  deletedBy: v.pipe(v.string(), v.description('ID of a user or API key.')),
})
export const DeletedRecordPageShape = v.object({ items: v.array(DeletedRecordShape), cursor: v.string() })

export const ModelEntryShape = v.object({
  id: v.string(),
  entityType: v.picklist(MODEL_ENTITY_TYPES),
  entityId: v.string(),
  userId: v.pipe(
    v.string(),
    v.description('`system` if no caller made the change, for example when a destination pauses its export job.'),
  ),
  timestamp: Timestamp,
  action: v.picklist(MODEL_ACTIONS),
  changes: v.pipe(v.array(MemberChangeShape), v.description('Empty if the role may not read the changed members.')),
  origin: ChangeOriginShape,
})

/** Without the permission to read the trail. */
export const ChangeNoteShape = v.pick(AuditEntryShape, ['entityId', 'action', 'timestamp'])
export const ChangePageShape = v.object({
  items: v.array(
    v.union([
      ModelEntryShape,
      AccountEntryShape,
      v.object({
        ...AuditEntryShape.entries,
        entityType: v.optional(
          v.pipe(v.literal('record'), v.description('If changes of the model or of accounts were requested too.')),
        ),
      }),
      ChangeNoteShape,
    ]),
  ),
  cursor: v.string(),
  unread: v.optional(v.pipe(v.number(), v.description('Your unread notices, if `unread` was sent.'))),
})
