// Comments, assignments of records to people, followers and notices: part of `port.ts`.
import type { Actor } from '../collaboration/rules/actor.ts'
import type { Assignment, AssignmentState } from '../collaboration/rules/assignment.ts'
import type { Comment } from '../collaboration/rules/comment.ts'
import type { Notice } from '../collaboration/rules/notice.ts'
import type { SummaryState } from '../collaboration/rules/summary.ts'

/** The place of a comment: the place of its thread, and its own. Both rise with time. */
export interface CommentPlace {
  readonly thread: number
  readonly n: number
}

export interface PlacedComment extends CommentPlace {
  readonly comment: Comment
}

export interface CommentsAsked {
  readonly recordId: string
  /** Only comments on the record as a whole, and on these attributes of the schema; `aliases` undefined: on all. */
  readonly readable: { readonly schemaId: string; readonly aliases: readonly string[] | undefined }
  readonly attributeAlias?: string | undefined
  /** Whether the thread is open. */
  readonly isOpen?: boolean | undefined
  /** threads: the newest thread first, each thread in the order of writing. newest: the newest comment first. */
  readonly order: 'threads' | 'newest'
  /** The last comment of the previous page. */
  readonly after?: CommentPlace | undefined
  readonly limit: number
}

/** Open threads about one value, or about the whole record. */
export interface OpenThreads {
  readonly recordId: string
  readonly schemaId: string
  readonly attributeAlias: string | null
  /** `scopeKey` form. */
  readonly scope: string
  readonly open: number
}

export interface CommentReads {
  get(id: string): Promise<Comment | undefined>
  list(asked: CommentsAsked): Promise<PlacedComment[]>
  /** Open threads of existing records, by value. */
  openOf(recordIds: readonly string[]): Promise<OpenThreads[]>
  counts(recordId: string): Promise<{ readonly comments: number; readonly open: number }>
  countReplies(threadId: string): Promise<number>
  /** Authors of the thread, each once. */
  authorsOf(threadId: string): Promise<Actor[]>
}

export interface CommentWrites {
  insert(comment: Comment): Promise<void>
  update(comment: Comment): Promise<void>
  delete(id: string): Promise<void>
  /** Deletes up to `limit` comments of a record that were written at the moment or before; resolves to how many. */
  deleteOf(recordId: string, through: string, limit: number): Promise<number>
  /** Gives the new alias to up to `limit` comments on an attribute; resolves to their number. */
  renameAttribute(schemaId: string, from: string, to: string, limit: number): Promise<number>
}

interface AssignmentPlace {
  /** '9999-12-31': none. */
  readonly due: string
  readonly n: number
}

export interface PlacedAssignment extends AssignmentPlace {
  readonly assignment: Assignment
}

/** At least one of the first three is given. */
export interface AssignmentsAsked {
  readonly recordId?: string | undefined
  readonly assigneeId?: string | undefined
  readonly assignedBy?: Actor | undefined
  readonly state: AssignmentState
  /** Only assignments that are due before this day. */
  readonly dueBefore?: string | undefined
  readonly after?: AssignmentPlace | undefined
  readonly limit: number
}

export interface AssignmentReads {
  get(id: string): Promise<Assignment | undefined>
  /** Lists assignments of existing records: the earliest due day first, those without a day last. */
  list(asked: AssignmentsAsked): Promise<PlacedAssignment[]>
  /** The first of these records with at least `limit` open assignments. */
  findFull(recordIds: readonly string[], limit: number): Promise<string | undefined>
  /** Counts open assignments of a person, on existing or deleted records. */
  countOpen(assigneeId: string): Promise<number>
  /** Persons with an open assignment of the record. */
  assigneesOf(recordId: string): Promise<string[]>
}

/** The last notice that a person got of the day of an assignment. */
export type DueStage = 'tomorrow' | 'overdue'

export interface AssignmentWrites {
  /** @param told the stage whose notice is not needed any more */
  insert(assignment: Assignment, told?: DueStage): Promise<void>
  /** A changed day leads to new notices. */
  update(assignment: Assignment, isNewDay: boolean): Promise<void>
  /** Takes up to `limit` open assignments of one person for notices. Each assignment is taken once for each stage. */
  takeDue(stage: DueStage, day: string, limit: number): Promise<Assignment[]>
  /** Deletes up to `limit` ended assignments that were changed before; resolves to how many. */
  deleteEnded(before: string, limit: number): Promise<number>
  deleteOf(recordId: string, limit: number): Promise<number>
  /** Empties up to `limit` notes of a record; resolves to how many. */
  eraseNotes(recordId: string, limit: number): Promise<number>
}

export interface FollowerReads {
  /** Undefined: neither followed nor unfollowed. */
  get(recordId: string, userId: string): Promise<boolean | undefined>
  list(recordId: string, limit: number): Promise<string[]>
}

export interface FollowerWrites {
  set(recordId: string, userId: string, follows: boolean): Promise<void>
  deleteOf(recordId: string): Promise<void>
}

export interface PlacedNotice {
  readonly n: number
  readonly isRead: boolean
  readonly notice: Notice
}

export interface NoticesAsked {
  readonly isUnread: boolean
  /** The `n` of the last notice of the previous page. */
  readonly after?: number | undefined
  readonly limit: number
}

export interface NoticeReads {
  /** The newest first. */
  list(userId: string, asked: NoticesAsked): Promise<PlacedNotice[]>
  countUnread(userId: string): Promise<number>
}

export interface NoticeWrites {
  /**
   * Adds a notice, unless the user has switched its kind off, or the notice is known. The oldest notices beyond
   * `MAX_NOTICES` are deleted.
   */
  add(userId: string, notice: Notice): Promise<void>
  /** Undefined: all. */
  markRead(userId: string, ids: readonly string[] | undefined): Promise<void>
  deleteOf(userId: string): Promise<void>
  /** Deletes up to `limit` notices that are older; resolves to how many. */
  deleteBefore(moment: string, limit: number): Promise<number>
}

/** Records with comments, assignments or followers. */
export interface DiscussedReads {
  /** Lists records after `after`, in the order of their IDs; fewer than `limit`: no more follow. */
  list(after: string, limit: number): Promise<string[]>
}

export interface SummaryReads {
  get(userId: string): Promise<SummaryState | undefined>
  /** The summaries that are due at the moment (ISO 8601), the longest-waiting first. */
  due(now: string, limit: number): Promise<SummaryState[]>
}

export interface SummaryWrites {
  /** Replaces the state of the user. */
  put(state: SummaryState): Promise<void>
  delete(userId: string): Promise<void>
}
