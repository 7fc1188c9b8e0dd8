// Regular work, by one server: tells of days that come and pass, and removes what is too old or has lost its record.
// Contract 5 §3.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../kernel/observing/log.ts'
import type { System } from '../kernel/machine/system.ts'
import type { DueStage } from '../store/collaboration-port.ts'
import { Leading } from '../store/leading.ts'
import type { Store, Transaction } from '../store/port.ts'
import { type Assignment, dayAfter, dayOf, KEEP_ENDED_DAYS } from './rules/assignment.ts'
import { KEEP_NOTICES_DAYS, type NoticeKind, noticeOf } from './rules/notice.ts'

/** Milliseconds between two rounds. */
const INTERVAL = 3_600_000
/** Rows of one transaction. */
const AT_ONCE = 200
/** Records that are looked at together: each may have many comments. */
const RECORDS_AT_ONCE = 20
/** Milliseconds between two transactions, in which others have their turn. */
const PAUSE = 5
const DAY = 86_400_000
const END_OF_TIME = '9999-12-31T23:59:59.999Z'

const STAGES: readonly { readonly stage: DueStage; readonly kind: NoticeKind }[] = [
  // First, because a day that is over needs no notice that it comes.
  { stage: 'overdue', kind: 'overdue' },
  { stage: 'tomorrow', kind: 'dueTomorrow' },
]

interface HousekeepingDeps {
  readonly store: Store
  readonly system: System
  readonly log: Log
}

interface Housekeeping {
  /** Does everything that is due; resolves when it is done. Never rejects. */
  work(): Promise<void>
  /** Resolves when the transaction under way has ended. */
  stop(): Promise<void>
}

/** Begins at once, where no other server does so already, and again every hour. */
export function startHousekeeping({ store, system, log }: HousekeepingDeps): Housekeeping {
  let isStopped = false
  let working: Promise<void> | undefined
  /** Undefined: another server has the duty. */
  let held: Store | undefined

  /** Repeats a step until it has nothing left to do. */
  async function repeat(present: Store, step: (tx: Transaction) => Promise<number>): Promise<void> {
    for (let last = 1; last > 0 && !isStopped;) {
      await present.whenCalm()
      last = await present.transaction(step)
      if (last > 0) await sleep(PAUSE, undefined, { ref: false })
    }
  }

  async function round(present: Store): Promise<void> {
    const before = (days: number): string => new Date(system.now().getTime() - days * DAY).toISOString()
    for (const { stage, kind } of STAGES) await repeat(present, (tx) => tellOfDays(tx, system, stage, kind))
    await repeat(present, (tx) => tx.notices.deleteBefore(before(KEEP_NOTICES_DAYS), AT_ONCE))
    await repeat(present, (tx) => tx.workAssignments.deleteEnded(before(KEEP_ENDED_DAYS), AT_ONCE))
    for (let after = ''; !isStopped;) {
      const recordIds = await present.read.discussed.list(after, RECORDS_AT_ONCE)
      for (const id of await findGone(present, recordIds)) await repeat(present, (tx) => deleteSome(tx, id))
      if (recordIds.length < RECORDS_AT_ONCE) return
      after = recordIds.at(-1)!
      await sleep(PAUSE, undefined, { ref: false })
    }
  }

  async function work(): Promise<void> {
    const present = held
    if (isStopped || present === undefined) return
    working ??= round(present)
      .catch((error: unknown) => {
        if (present === held && !isStopped) log.warn({ err: error }, 'notices of days could not be written')
      })
      .finally(() => (working = undefined))
    await working
  }

  const leading = new Leading(store, {
    name: 'collaboration',
    async begin(present, { signal }) {
      held = present
      signal.addEventListener('abort', () => (held = undefined), { once: true })
      void work()
    },
    onFault: (error) => log.error({ err: error }, 'notices of days cannot be written'),
  })
  const timer = setInterval(() => void work(), INTERVAL).unref()
  void leading.start()
  return {
    work,
    async stop() {
      isStopped = true
      clearInterval(timer)
      await working
      leading.stop()
    },
  }
}

/** Tells a person of the days of assignments. Resolves to the number of assignments; 0: nobody is left to be told. */
async function tellOfDays(tx: Transaction, system: System, stage: DueStage, kind: NoticeKind): Promise<number> {
  const now = system.now()
  const due = await tx.workAssignments.takeDue(stage, stage === 'overdue' ? dayOf(now) : dayAfter(now), AT_ONCE)
  const assigneeId = due[0]?.assigneeId ?? ''
  const user = await tx.users.get(assigneeId)
  if (user === undefined || user.disabled) return due.length
  const notice = { id: system.newId('ntc'), kind, createdAt: now.toISOString(), ...aboutOf(due) }
  await tx.notices.add(assigneeId, noticeOf(notice))
  return due.length
}

function aboutOf(assignments: readonly Assignment[]) {
  const [first, ...others] = assignments
  const only = others.length === 0 ? { recordId: first!.recordId, assignmentId: first!.id } : {}
  return { ...only, count: assignments.length }
}

/** Records that do not exist, and that nobody can restore. */
async function findGone({ read }: Store, recordIds: readonly string[]): Promise<string[]> {
  if (recordIds.length === 0) return []
  const existing = await read.records.existing(recordIds)
  const gone: string[] = []
  for (const id of recordIds)
    if (!existing.has(id) && (await read.audit.readTrail(id, { limit: 1 })).entries.length === 0) gone.push(id)
  return gone
}

async function deleteSome(tx: Transaction, recordId: string): Promise<number> {
  // Somebody may have created it again.
  if ((await tx.records.existing([recordId])).has(recordId)) return 0
  await tx.followers.deleteOf(recordId)
  const comments = await tx.comments.deleteOf(recordId, END_OF_TIME, AT_ONCE)
  return comments + (await tx.workAssignments.deleteOf(recordId, AT_ONCE))
}
