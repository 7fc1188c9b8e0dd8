// Shapes of history: entries of the trail, of the model's history and of the change feed, and deleted records. Contract
// 1 §2.4, 3 §3.
import * as v from 'valibot'
import { AccountEntryShape } from '../../feed/rules/account-entry.ts'
import { ModelEntryShape } from '../../feed/rules/model-entry.ts'
import { AuditEntryShape, ChangeNoteShape } from '../rules/changes.ts'

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
