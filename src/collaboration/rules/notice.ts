// Notices: which events a person gets, and which can be switched off. Contract 5 §3.
import * as v from 'valibot'
import { type OutputOf, Timestamp } from '../../kernel/input/validation.ts'
import { type Actor, ActorShape } from './actor.ts'
import type { SummarySettings } from './summary.ts'

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
