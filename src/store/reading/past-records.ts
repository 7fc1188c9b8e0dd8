// Finds records in the state right after an entry of the feed. Records that are unchanged since then are read from
// storage. Changed records are rewound once, and carried forward while the reading continues.
import { applyChanges, isCategoriesChange } from '../../core/records/rules/changes.ts'
import { type PastRecord, Rewind } from '../../core/records/rules/past-record.ts'
import { parseValues, type RecordHead, type Values } from '../../core/records/rules/record.ts'
import type { StoredAuditEntry } from '../audit-port.ts'
import type { TaskTime } from './task-time.ts'
import type { WorkspaceReads } from './workspace-reads.ts'

export interface RecordThen {
  readonly head: RecordHead
  /** JSON as stored, or past values. */
  readonly values: string | Values
  /** Categories of the record itself. */
  readonly categoryIds: readonly string[]
}

/** The state to which a record was rewound. */
interface Rewound extends Pick<RecordHead, 'updatedAt' | 'updatedBy'> {
  readonly record: PastRecord
}

/** Most records carried forward, and most characters of one. */
const MAX_CARRIED = 100
const MAX_CHARACTERS = 256 * 1024
/** Entries undone before the event loop gets a turn. */
const PIECE = 200

export class PastRecords {
  readonly #reads: WorkspaceReads
  readonly #time: Pick<TaskTime, 'breathe'>
  readonly #carried = new Map<string, Rewound>()

  constructor(reads: WorkspaceReads, time: Pick<TaskTime, 'breathe'>) {
    this.#reads = reads
    this.#time = time
  }

  /** Applies an entry. Entries must come in order, each before the record is requested in the state after the entry. */
  take({ entityId, action, changes, timestamp, userId }: StoredAuditEntry): void {
    const known = this.#carried.get(entityId)
    if (known === undefined || action === 'erase') return
    if (action === 'create' || action === 'delete') {
      this.#carried.delete(entityId)
      return
    }
    let { record } = known
    for (const change of changes) {
      if (isCategoriesChange(change)) record = { ...record, categories: change.newValue ?? [] }
      else if (action === 'transition') record = { ...record, lifecycleStateId: String(change.newValue) }
    }
    if (action !== 'transition') record = { ...record, values: applyChanges(record.values, changes) }
    this.#carried.set(entityId, { record, updatedAt: timestamp, updatedBy: userId })
  }

  /** Undefined: the record did not exist. */
  async at(recordId: string, sequence: number): Promise<RecordThen | undefined> {
    const carried = this.#carried.get(recordId)
    if (carried !== undefined) return toThen(recordId, carried)
    const present = await this.#reads.records.get(recordId)
    if (present !== undefined && present.version <= sequence) {
      const { valuesJson, ...head } = present
      const places = await this.#reads.assignmentsOf(recordId)
      return { head, values: valuesJson, categoryIds: places.map(({ categoryId }) => categoryId) }
    }
    const rewound = await this.#rewind(recordId, sequence)
    if (rewound === undefined) return undefined
    if (this.#carried.size < MAX_CARRIED && (present?.valuesJson.length ?? 0) <= MAX_CHARACTERS)
      this.#carried.set(recordId, rewound)
    return toThen(recordId, rewound)
  }

  async #rewind(recordId: string, sequence: number): Promise<Rewound | undefined> {
    const present = await this.#reads.records.get(recordId)
    const rewind = new Rewind(
      present && {
        ...present,
        values: parseValues(present),
        categories: await this.#reads.assignmentsOf(recordId),
      },
    )
    let before: number | undefined
    for (;;) {
      const { entries, next } = await this.#reads.audit.readTrail(recordId, { before, limit: PIECE })
      for (const entry of entries) {
        const isLater = entry.sequence > sequence
        // The earlier state is unknown, because it was erased.
        if (isLater && entry.action === 'erase') return undefined
        if (isLater) rewind.undo(entry)
        else if (entry.action !== 'erase') return toRewound(rewind, entry.timestamp, entry.userId)
      }
      // Older entries are no longer kept.
      if (next === undefined) return toRewound(rewind, undefined, '')
      before = next
      await this.#time.breathe()
    }
  }
}

function toRewound({ record }: Rewind, updatedAt: string | undefined, updatedBy: string): Rewound | undefined {
  return record && { record, updatedAt: updatedAt ?? record.createdAt, updatedBy }
}

function toThen(id: string, { record, updatedAt, updatedBy }: Rewound): RecordThen {
  const { schemaId, parentId, lifecycleStateId, createdAt, createdBy, values, categories } = record
  return {
    head: { id, schemaId, parentId, lifecycleStateId, createdAt, createdBy, updatedAt, updatedBy },
    values,
    categoryIds: categories.map(({ categoryId }) => categoryId),
  }
}
