// Names and examples of the shapes of comments, assignments and notices.
import { component, type Components } from '../../http/openapi/component.ts'
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts'
import { AssignmentShape, AssignmentUpdate, AssignmentInput } from '../rules/assignment.ts'
import { NoticeShape, NoticeSettingsInput } from '../rules/notice.ts'
import {
  AssignedShape,
  AssignmentPageShape,
  CommentPageShape,
  FollowInput,
  FollowShape,
  NoticePageShape,
  MessengerCheckShape,
  MessengerShape,
  NoticeSettingsShape,
  OpenCommentsShape,
  ReadersShape,
  ReadInput,
  UnreadShape,
} from './collaboration-shapes.ts'
import { CommentShape, CommentUpdate, CommentInput } from '../rules/comment.ts'
import { SECRET_PLACEHOLDER } from '../../kernel/secrets/secret-fields.ts'
import { MessengerInput } from '../rules/messenger-setup.ts'
import { PresenceShape, PresenceInput } from '../rules/present-person.ts'

const anna = { id: EXAMPLE_IDS.user, kind: 'user' as const, name: 'Anna' }
const text = `@[${EXAMPLE_IDS.user}] is this the weight without the box?`
const place = { attributeAlias: 'name', scope: { language: 'de' } }

const comment = {
  id: 'cmt-01kk0a3v5m8qz2w4r6t8y0b1cd',
  recordId: EXAMPLE_IDS.record,
  threadId: null,
  ...place,
  text,
  mentions: [{ id: anna.id, name: anna.name }],
  author: anna,
  createdAt: '2026-03-01T09:30:00.000Z',
  editedAt: null,
  resolvedAt: null,
  resolvedBy: null,
  deleted: false,
}

const given = { dueOn: '2026-03-05', note: 'Please check the German texts.' }
const assignment = {
  id: 'asg-01kk0a9n3p5r7t9v1x3z5b7d9f',
  recordId: EXAMPLE_IDS.record,
  assignee: anna,
  assignedBy: anna,
  ...given,
  state: 'open' as const,
  overdue: false,
  createdAt: '2026-03-01T09:30:00.000Z',
  changedAt: '2026-03-01T09:30:00.000Z',
  changedBy: anna,
}

const notice = {
  id: 'ntc-01kk0ac2e4g6j8m0p2r4t6v8xz',
  kind: 'mention' as const,
  createdAt: '2026-03-01T09:30:00.000Z',
  read: false,
  actor: anna,
  recordId: EXAMPLE_IDS.record,
  commentId: comment.id,
  assignmentId: null,
  count: null,
  exportJobId: null,
  exportRunId: null,
  importId: null,
  bulkJobId: null,
}

const summary = { isOn: true, hour: 8, timeZone: 'Europe/Berlin', language: 'de' }
const settings = { off: ['comment' as const], email: 'anna@example.com', summary }
const mailConfig = { host: 'smtp.example.com', security: 'tls', username: 'pim', from: 'pim@example.com' }

export const collaborationComponents: Components = {
  Comment: component(CommentShape, comment),
  CommentPage: component(CommentPageShape, { items: [comment] }),
  CommentInput: component(CommentInput, { text, ...place }),
  CommentUpdate: component(CommentUpdate, { resolved: true }),
  OpenComments: component(OpenCommentsShape, { items: [{ recordId: EXAMPLE_IDS.record, ...place, open: 2 }] }),
  Readers: component(ReadersShape, { items: [{ id: anna.id, name: 'Anna', username: 'anna' }] }),
  Follow: component(FollowShape, { follows: true }),
  FollowInput: component(FollowInput, { follows: true }),
  Assignment: component(AssignmentShape, assignment),
  AssignmentPage: component(AssignmentPageShape, { items: [assignment] }),
  AssignmentInput: component(AssignmentInput, { recordIds: [EXAMPLE_IDS.record], assigneeId: anna.id, ...given }),
  AssignmentUpdate: component(AssignmentUpdate, { state: 'done' }),
  Assigned: component(AssignedShape, { ids: [assignment.id] }),
  Notice: component(NoticeShape, notice),
  NoticePage: component(NoticePageShape, { items: [notice] }),
  Unread: component(UnreadShape, { unread: 3 }),
  ReadNotices: component(ReadInput, { ids: [notice.id] }),
  NoticeSettings: component(NoticeSettingsShape, { ...settings, summary: { ...summary, isAvailable: true } }),
  NoticeSettingsInput: component(NoticeSettingsInput, settings),
  Messenger: component(MessengerShape, {
    messenger: {
      type: 'mail',
      config: { ...mailConfig, password: SECRET_PLACEHOLDER },
      updatedAt: '2026-03-01T09:30:00.000Z',
      lastSentAt: '2026-03-02T07:00:04.000Z',
      lastFailure: null,
    },
    types: [{ type: 'mail', title: 'Mail (SMTP)', secrets: ['password'] }],
  }),
  MessengerInput: component(MessengerInput, { type: 'mail', config: { ...mailConfig, password: 'secret' } }),
  MessengerCheck: component(MessengerCheckShape, {
    ok: true,
    message: 'A trial message was sent to anna@example.com',
  }),
  PresenceInput: component(PresenceInput, {
    recordId: EXAMPLE_IDS.record,
    attributeAlias: 'name',
    recordIds: [EXAMPLE_IDS.record],
  }),
  Presence: component(PresenceShape, {
    items: [{ recordId: EXAMPLE_IDS.record, attributeAlias: 'name', person: { id: anna.id, name: 'Anna' } }],
    every: 20,
  }),
}
