// Shapes of history: entries of the trail, of the model's history and of the change feed, and deleted records. Contract
// 1 §2.4, 3 §3.
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

export const MemberChangeShape = v.object({
  field: v.pipe(
    v.string(),
    v.description('A member, or an item of a list by its alias or ID: `name`, `attributes.price`.'),
  ),
  oldValue: v.pipe(v.unknown(), v.description('null: there was no value.')),
  newValue: v.pipe(v.unknown(), v.description('null: there is no value any more.')),
})
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

export const SignInShape = v.object({
  username: v.pipe(
    v.nullable(v.string()),
    v.description(
      'The first 100 characters of the username as typed, with control characters escaped. null: several usernames.',
    ),
  ),
  address: v.pipe(v.nullable(v.string()), v.description('The address of the client. null: several addresses.')),
  count: v.pipe(v.number(), v.description('The number of sign-ins in this entry.')),
  since: v.pipe(Timestamp, v.description('The time of the first of these sign-ins.')),
})
export const AccountEntryShape = v.object({
  id: v.string(),
  entityType: v.picklist(ACCOUNT_ENTITY_TYPES),
  entityId: v.pipe(
    v.nullable(v.string()),
    v.description('ID of the user or API key. null: no user has this username.'),
  ),
  userId: v.pipe(v.string(), v.description('Who made the change. `system` for commands and failed sign-ins.')),
  timestamp: Timestamp,
  action: v.picklist(ACCOUNT_ACTIONS),
  changes: v.pipe(
    v.array(MemberChangeShape),
    v.description('If a `password` was set, both values are null. Empty for sign-ins and sign-outs.'),
  ),
  origin: v.object({
    kind: v.pipe(
      v.picklist(ACCOUNT_ORIGINS),
      v.description('command: a pimlet command that ran on the workspace itself.'),
    ),
  }),
  signIn: v.optional(v.pipe(SignInShape, v.description('For `login` and `loginFailed`.'))),
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
