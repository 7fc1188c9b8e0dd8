// Gathers the content of one person's summary: by the present role, and without any text of a comment. Contract 5 §7.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { hasPermission, type Role } from '../core/accounts/rules/permissions.ts'
import type { StoredUser } from '../core/accounts/rules/account.ts'
import type { Model } from '../core/model/rules/model.ts'
import { suggestionOf } from '../core/search/rules/record-suggestions.ts'
import type { PlacedNotice } from '../store/collaboration-port.ts'
import type { Reads } from '../store/port.ts'
import { mayReadSubject, nameAll } from './persons.ts'
import { dayAfter, dayOf } from './rules/assignment.ts'
import { MAX_NOTICES, type NoticeKind, type NoticeSettings } from './rules/notice.ts'
import { MAX_ITEMS, type SummaryItem } from './rules/summary-text.ts'
import { parseValues } from '../core/records/rules/record.ts'

/** Characters of JSON of a record; a larger one is called by its ID, since reading it would make requests wait. */
const MAX_VALUES = 100_000
/** Assignments that are read at once. */
const WORK_AT_ONCE = 100
const DAY = 86_400_000

export interface SummaryContent {
  readonly work: readonly SummaryItem[]
  readonly news: readonly SummaryItem[]
  readonly more: number
  /** The newest notice that was looked at. */
  readonly through: number
}

interface Asked {
  readonly user: StoredUser
  readonly settings: NoticeSettings
  /** The newest notice of an earlier summary. */
  readonly after: number
  readonly now: Date
}

/** `reads` sees committed state, since other work has its turn between two reads. */
export async function gatherSummary(reads: Reads, { user, settings, after, now }: Asked): Promise<SummaryContent> {
  const model = await reads.model()
  const role = model.roles.get(user.roleId)
  if (role === undefined) return { work: [], news: [], more: 0, through: after }
  const reader = new Reader(reads, model, role)
  const isOn = (kind: NoticeKind): boolean => !settings.off.includes(kind)
  const { work, more } = await reader.workOf(user.id, now, isOn)
  const found = await reads.notices.list(user.id, { isUnread: true, limit: MAX_NOTICES })
  const fresh = found.filter(({ n, notice }) => n > after && isOn(notice.kind) && !isOfWork(notice.kind))
  const { news, looked } = await reader.newsOf(fresh, MAX_ITEMS - work.length)
  return { work, news, more: more + fresh.length - looked, through: Math.max(after, found[0]?.n ?? 0) }
}

/** Assignments themselves name their due days. */
function isOfWork(kind: NoticeKind): boolean {
  return kind === 'dueTomorrow' || kind === 'overdue'
}

class Reader {
  readonly #reads: Reads
  readonly #model: Model
  readonly #role: Role

  constructor(reads: Reads, model: Model, role: Role) {
    this.#reads = reads
    this.#model = model
    this.#role = role
  }

  /** Open assignments whose day is over, today or tomorrow. `more`: the number of assignments beyond `MAX_ITEMS`. */
  async workOf(assigneeId: string, now: Date, isOn: (kind: NoticeKind) => boolean) {
    const dueBefore = dayAfter(new Date(now.getTime() + DAY))
    const work: SummaryItem[] = []
    let more = 0
    let after: { readonly due: string; readonly n: number } | undefined
    do {
      const asked = { assigneeId, state: 'open', dueBefore, after, limit: WORK_AT_ONCE } as const
      const due = await this.#reads.workAssignments.list(asked)
      for (const { assignment } of due) {
        const { recordId, dueOn } = assignment
        const kind = dueOn !== null && dueOn < dayOf(now) ? 'overdue' : 'dueTomorrow'
        if (!isOn(kind)) continue
        if (work.length < MAX_ITEMS) {
          const label = await this.#labelOf(recordId, null)
          if (label !== undefined) work.push({ kind, by: null, label, count: 1, dueOn, path: recordPath(recordId) })
        } else more += 1
      }
      after = due.length < WORK_AT_ONCE ? undefined : due.at(-1)
      await nextTurn()
    } while (after !== undefined)
    return { work, more }
  }

  /** `looked`: the notices up to the last item. */
  async newsOf(notices: readonly PlacedNotice[], limit: number): Promise<{ news: SummaryItem[]; looked: number }> {
    const news: SummaryItem[] = []
    let looked = 0
    for (const { notice } of notices) {
      if (news.length >= limit) break
      looked += 1
      const subject = await this.#subjectOf(notice)
      if (subject === undefined) continue
      const { actor, kind, count } = notice
      const by = actor === null ? null : (await nameAll(this.#reads, [actor]))(actor).name
      news.push({ kind, by, count: count ?? 1, dueOn: null, ...subject })
    }
    return { news, looked }
  }

  /** Undefined: the person may not know of it any more, or it is gone. */
  async #subjectOf({
    kind,
    recordId,
    commentId,
    exportJobId,
    importId,
  }: PlacedNotice['notice']): Promise<Pick<SummaryItem, 'label' | 'path'> | undefined> {
    if (kind === 'exportFailed') return this.#exportOf(exportJobId)
    if (kind === 'importEnded') return { label: null, path: importId === null ? null : `/console/imports/${importId}` }
    if (recordId === null) return { label: null, path: '/console/for-me?tab=mine' }
    const comment = commentId === null ? undefined : await this.#reads.comments.get(commentId)
    if (commentId !== null && (comment === undefined || comment.isDeleted)) return undefined
    const label = await this.#labelOf(recordId, comment?.attributeAlias ?? null)
    return label === undefined ? undefined : { label, path: recordPath(recordId) }
  }

  async #exportOf(jobId: string | null): Promise<Pick<SummaryItem, 'label' | 'path'> | undefined> {
    if (jobId === null || !hasPermission(this.#role, 'exportJobs.read')) return undefined
    const job = await this.#reads.exportJobs.get(jobId)
    return job && { label: job.name, path: `/console/exports/${encodeURIComponent(jobId)}` }
  }

  /** The label of the record for the role; undefined: the role may not read the record or the attribute. */
  async #labelOf(recordId: string, attributeAlias: string | null): Promise<string | undefined> {
    const record = await this.#reads.records.get(recordId)
    const schema = record && this.#model.schemas.get(record.schemaId)
    if (record === undefined || schema === undefined) return undefined
    if (!mayReadSubject(this.#role, this.#model, { schemaId: schema.id, attributeAlias })) return undefined
    const parent = record.parentId === null ? undefined : await this.#reads.records.get(record.parentId)
    if (record.valuesJson.length + (parent?.valuesJson.length ?? 0) > MAX_VALUES) return recordId
    const layers = { own: parseValues(record), inherited: parent === undefined ? null : parseValues(parent) }
    await nextTurn()
    return suggestionOf(recordId, layers, schema, this.#role, []).label
  }
}

function recordPath(recordId: string): string {
  return `/console/records/${encodeURIComponent(recordId)}`
}
