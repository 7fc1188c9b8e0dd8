// Shapes of what has happened: entries of the trail, of the model's history and of the change feed, and deleted records. Contract 1 §2.4,
// 3 §3.
import * as v from 'valibot'
import { ACCOUNT_ACTIONS, ACCOUNT_ENTITY_TYPES, ACCOUNT_ORIGINS } from '../../feed/rules/account-entry.ts'
import { MODEL_ACTIONS, MODEL_ENTITY_TYPES } from '../../feed/rules/model-entry.ts'
import { AUDIT_ACTIONS, CHANGE_ORIGINS } from '../rules/changes.ts'
import { ScopeShape } from './record-shapes.ts'
import { Timestamp } from '../../../http/common-shapes.ts'

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
  newValue: v.pipe(v.nullable(Places), v.description('null where the record was deleted.')),
})

export const ChangeOriginShape = v.object({
  kind: v.pipe(
    v.picklist(CHANGE_ORIGINS),
    v.description('What made the change; api: a request of its own; schema: a change of the model.'),
  ),
  id: v.optional(v.pipe(v.string(), v.description('Of the job that made it, where there is one.'))),
})

export const AuditEntryShape = v.object({
  id: v.string(),
  entityId: v.string(),
  userId: v.string(),
  timestamp: Timestamp,
  action: v.picklist(AUDIT_ACTIONS),
  changes: v.array(v.union([AttributeChangeShape, CategoriesChangeShape])),
  version: v.pipe(v.number(), v.description('Of the record after the change: what its ETag said.')),
  origin: ChangeOriginShape,
  erased: v.optional(
    v.pipe(v.literal(true), v.description('What it changed is erased for good: `changes` is empty because of that.')),
  ),
})

export const DeletedRecordShape = v.object({
  entityId: v.string(),
  schemaId: v.string(),
  version: v.pipe(v.number(), v.description('The last one that it had: what it can be brought back to.')),
  deletedAt: Timestamp,
  deletedBy: v.pipe(v.string(), v.description('ID of a user or API key.')),
})
export const DeletedRecordPageShape = v.object({ items: v.array(DeletedRecordShape), cursor: v.string() })

export const MemberChangeShape = v.object({
  field: v.pipe(
    v.string(),
    v.description('A member, or one item of a list of them by its alias or ID: `name`, `attributes.price`.'),
  ),
  oldValue: v.pipe(v.unknown(), v.description('null: there was none.')),
  newValue: v.pipe(v.unknown(), v.description('null: there is none any more.')),
})
export const ModelEntryShape = v.object({
  id: v.string(),
  entityType: v.picklist(MODEL_ENTITY_TYPES),
  entityId: v.string(),
  userId: v.pipe(v.string(), v.description('`system` where nobody did it: a destination that paused its export job.')),
  timestamp: Timestamp,
  action: v.picklist(MODEL_ACTIONS),
  changes: v.pipe(v.array(MemberChangeShape), v.description('Empty where the role may not read what was changed.')),
  origin: ChangeOriginShape,
})

export const SignInShape = v.object({
  username: v.pipe(
    v.nullable(v.string()),
    v.description('As it was typed, its first 100 characters, control characters escaped. null: several usernames.'),
  ),
  address: v.pipe(v.nullable(v.string()), v.description('Where it came from. null: several addresses.')),
  count: v.pipe(v.number(), v.description('How many sign-ins the entry tells of.')),
  since: v.pipe(Timestamp, v.description('When the first of them was.')),
})
export const AccountEntryShape = v.object({
  id: v.string(),
  entityType: v.picklist(ACCOUNT_ENTITY_TYPES),
  entityId: v.pipe(v.nullable(v.string()), v.description('Of the user or API key. null: no user has the username.')),
  userId: v.pipe(v.string(), v.description('Who did it; `system` where nobody is known: a command, a failed sign-in.')),
  timestamp: Timestamp,
  action: v.picklist(ACCOUNT_ACTIONS),
  changes: v.pipe(
    v.array(MemberChangeShape),
    v.description('A `password` that was set has null as both values. Empty of sign-ins and sign-outs.'),
  ),
  origin: v.object({
    kind: v.pipe(v.picklist(ACCOUNT_ORIGINS), v.description('command: one of pimlet on the workspace itself.')),
  }),
  signIn: v.optional(v.pipe(SignInShape, v.description('Of `login` and `loginFailed`.'))),
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
          v.pipe(v.literal('record'), v.description('Where changes of the model or of accounts are asked for, too.')),
        ),
      }),
      ChangeNoteShape,
    ]),
  ),
  cursor: v.string(),
})
