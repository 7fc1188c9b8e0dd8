// Notices: which events a person gets, and which can be switched off. Contract 5 §3.
import type { Actor } from './actor.ts'
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

/** A notice names things, and quotes none: the reader's rights are applied when the notice is read. */
export interface Notice {
  readonly id: string
  readonly kind: NoticeKind
  readonly createdAt: string
  /** null: the server. */
  readonly actor: Actor | null
  /** null: several records, or none. */
  readonly recordId: string | null
  readonly commentId: string | null
  readonly assignmentId: string | null
  /** Records of an assignment. */
  readonly count: number | null
  readonly exportJobId: string | null
  readonly exportRunId: string | null
  readonly importId: string | null
  readonly bulkJobId: string | null
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
