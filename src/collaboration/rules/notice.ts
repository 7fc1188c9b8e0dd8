// Notices: which events a person gets, and which can be switched off. Contract 5 §3.
import * as v from 'valibot'
import { Flag, listOf, type OutputOf, Timestamp } from '../../kernel/input/validation.ts'
import { type Actor, ActorShape } from './actor.ts'
import { SummaryInput, MailAddress, type SummarySettings } from './summary.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Page } from '../../kernel/input/common-shapes.ts'

export const NOTICE_KINDS = [
  'mention',
  'reply',
  'comment',
  'assignment',
  'dueTomorrow',
  'overdue',
  'exportFailed',
  'importEnded',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** Notices of one person that are kept. */
export const MAX_NOTICES = 1000
export const KEEP_NOTICES_DAYS = 90

export const NoticeShape = v.object({
  id: v.string(),
  kind: v.picklist(NOTICE_KINDS),
  createdAt: Timestamp,
  read: v.boolean(),
  actor: v.pipe(v.nullable(ActorShape), v.description('null: the server.')),
  recordId: v.pipe(v.nullable(v.string()), v.description('null: several records, or none.')),
  commentId: v.nullable(v.string()),
  assignmentId: v.nullable(v.string()),
  count: v.pipe(v.nullable(v.number()), v.description('The number of assigned or due records.')),
  exportJobId: v.nullable(v.string()),
  exportRunId: v.nullable(v.string()),
  importId: v.nullable(v.string()),
  bulkJobId: v.nullable(v.string()),
})

/** A notice names things, and quotes none: the reader's rights are applied when the notice is read. */
export interface Notice extends Omit<OutputOf<typeof NoticeShape>, 'actor' | 'read'> {
  /** null: the server. */
  readonly actor: Actor | null
}

const ABOUT_NOTHING = {
  actor: null,
  recordId: null,
  commentId: null,
  assignmentId: null,
  count: null,
  exportJobId: null,
  exportRunId: null,
  importId: null,
  bulkJobId: null,
} as const

const Off = listOf(v.picklist(NOTICE_KINDS, `must be one of ${NOTICE_KINDS.join(', ')}`), NOTICE_KINDS.length)

export const NoticeSettingsInput = exactObject({
  off: v.optional(v.pipe(Off, v.description('Kinds that are switched off. Default: as they are.'))),
  email: v.optional(v.pipe(v.nullable(MailAddress), v.description('Where summaries go. Default: as it is.'))),
  summary: v.optional(v.pipe(SummaryInput, v.description('The daily summary. Default: as it is.'))),
})
export type SettingsInput = OutputOf<typeof NoticeSettingsInput>

export const NoticesQuery = exactObject({
  unread: v.optional(v.pipe(Flag, v.description('true: only unread notices.')), false),
  ...Page,
})
export type NoticesQuery = OutputOf<typeof NoticesQuery>

export function noticeOf(notice: Pick<Notice, 'id' | 'kind' | 'createdAt'> & Partial<Notice>): Notice {
  return { ...ABOUT_NOTHING, ...notice }
}

/** The choices of one person. `id`: the ID of the user. */
export interface NoticeSettings {
  readonly id: string
  /** The kinds that are switched off. */
  readonly off: readonly NoticeKind[]
  /** Where summaries go; null or missing: nowhere. */
  readonly email?: string | null | undefined
  readonly summary?: SummarySettings | undefined
}
