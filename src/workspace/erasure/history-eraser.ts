// Erases the history of a record, stage by stage, in short transactions. After a stop, the next start continues.
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErasedHistory, type ErasureStage, ERASURE_STAGES } from '../../core/records/rules/erased-history.ts'
import { PimletError, conflict, notFound } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/observing/log.ts'
import { Leading } from '../../store/leading.ts'
import type { Store, Transaction } from '../../store/port.ts'
import { STAGES, type StageDeps } from './erasure-stages.ts'
import type { System } from '../../kernel/machine/system.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import { assertMatches, type IfMatch } from '../../core/records/precondition.ts'
import { appendAudit } from '../../core/records/record-writing.ts'

/** Milliseconds between two searches for unfinished erasures. */
const INTERVAL = 60_000
/** Milliseconds that a request waits until the files are overwritten. Their old content cannot be read through pimlet. */
const REMAINS_WAIT = 5000

interface HistoryEraserDeps extends Omit<StageDeps, 'assertGoing'> {
  readonly log: Log
}

export class HistoryEraser {
  readonly #deps: HistoryEraserDeps
  readonly #leading: Leading
  readonly #timer: NodeJS.Timeout
  readonly #underWay = new Map<string, Promise<void>>()
  /** Undefined: another server continues unfinished erasures. */
  #held: Store | undefined
  #isStopped = false

  constructor(deps: HistoryEraserDeps) {
    const { store, log } = deps
    this.#deps = deps
    this.#leading = new Leading(store, {
      name: 'history-erasure',
      begin: async (held, { signal }) => {
        this.#held = held
        signal.addEventListener('abort', () => (this.#held = undefined), { once: true })
        void this.#goOn()
      },
      onFault: (error) => log.error({ err: error }, 'histories cannot be erased'),
    })
    this.#timer = setInterval(() => void this.#goOn(), INTERVAL).unref()
    void this.#leading.start()
  }

  /** Resolves when nothing of it can be read any more. @throws UNAVAILABLE: it goes on later */
  async finish(erasure: ErasedHistory): Promise<void> {
    const isOfFiles = (stage: ErasureStage): boolean => stage === 'remains'
    const { store } = this.#deps
    await this.#once(`${erasure.id} values`, () => this.#erase(store, erasure, (stage) => !isOfFiles(stage)))
    const overwriting = this.#once(erasure.id, () => this.#erase(store, erasure, isOfFiles))
    overwriting.catch((error: unknown) => this.#warn(error))
    await Promise.race([overwriting.catch(() => undefined), sleep(REMAINS_WAIT, undefined, { ref: false })])
  }

  /** Resolves when the step under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await Promise.allSettled(this.#underWay.values())
    this.#leading.stop()
  }

  /** Continues unfinished erasures. */
  async #goOn(): Promise<void> {
    const held = this.#held
    if (held === undefined || this.#isStopped) return
    try {
      for (const erasure of await held.read.erasures.list())
        await this.#once(erasure.id, () => this.#erase(held, erasure, () => true))
    } catch (error) {
      this.#warn(error)
    }
  }

  #once(name: string, work: () => Promise<void>): Promise<void> {
    const going = this.#underWay.get(name) ?? work().finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, going)
    return going
  }

  async #erase(store: Store, { id }: ErasedHistory, isAsked: (stage: ErasureStage) => boolean): Promise<void> {
    const deps: StageDeps = { ...this.#deps, store, assertGoing: () => this.#assertGoing() }
    const left = (await store.read.erasures.get(id))?.left ?? []
    for (const stage of left.filter(isAsked)) {
      const erasure = await store.read.erasures.get(id)
      if (erasure === undefined) return
      this.#assertGoing()
      if (await STAGES[stage](deps, erasure)) await this.#note(store, id, stage)
    }
  }

  /** That the stage is done. */
  #note(store: Store, id: string, done: ErasureStage): Promise<void> {
    return store.transaction(async (tx) => {
      const erasure = await tx.erasures.get(id)
      if (erasure === undefined) return
      const left = erasure.left.filter((stage) => stage !== done)
      await (left.length === 0 ? tx.erasures.delete(id) : tx.erasures.update({ ...erasure, left }))
    })
  }

  #assertGoing(): void {
    if (this.#isStopped)
      throw new PimletError('UNAVAILABLE', 'The server is shutting down: the erasure continues later')
  }

  #warn(error: unknown): void {
    if (!this.#isStopped) this.#deps.log.warn({ err: error }, 'a history could not be erased now, and is tried again')
  }
}

interface ErasureRequest {
  readonly id: string
  readonly ifMatch: IfMatch
}

export function createHistoryErasureService(deps: { store: Store; system: System; eraser: HistoryEraser }) {
  const { store, system, eraser } = deps
  return {
    /**
     * Resolves when no earlier value of the record can be read: to the new version of the record, or to the version of the
     * entry if the record is deleted.
     * @throws NOT_FOUND for an unknown record, or one without history; PRECONDITION_FAILED; CONFLICT while a bulk job or an
     * import is under way
     */
    async erase(caller: Caller, request: ErasureRequest): Promise<number> {
      const erasure = await store.transaction((tx) => beginErasure(tx, system, caller, request))
      await eraser.finish(erasure)
      return erasure.sequence
    },
  }
}

/** Throws as `erase` does. */
async function beginErasure(
  tx: Transaction,
  system: System,
  caller: Caller,
  { id, ifMatch }: ErasureRequest,
): Promise<ErasedHistory> {
  const record = await tx.records.get(id)
  const schemaId = record?.schemaId ?? (await schemaOfDeleted(tx, id))
  if (record !== undefined) assertMatches(ifMatch, record.version)
  else if (ifMatch !== undefined)
    throw new PimletError('PRECONDITION_FAILED', `If-Match names a version, but the record '${id}' is deleted`)
  await assertNoJob(tx)
  const requestedAt = system.now().toISOString()
  const entry = { recordId: id, schemaId, action: 'erase', changes: [], timestamp: requestedAt } as const
  const sequence = appendAudit(tx, system, caller, entry)
  if (record !== undefined) await tx.records.update(record, { ...record, version: sequence })
  const erasure = { id: system.newId('era'), recordId: id, sequence, requestedAt, left: ERASURE_STAGES }
  await tx.erasures.insert(erasure)
  return erasure
}

/** @throws NOT_FOUND */
async function schemaOfDeleted({ audit }: Pick<Transaction, 'audit'>, id: string): Promise<string> {
  const { entries } = await audit.readTrail(id, { limit: 1 })
  if (entries[0] === undefined) throw notFound('Record', id)
  return entries[0].schemaId
}

/** A running job would write values that it read before the erasure. @throws CONFLICT */
async function assertNoJob({ bulkJobs }: Pick<Transaction, 'bulkJobs'>): Promise<void> {
  const job = (await bulkJobs.listOpen()).find(({ kind }) => kind === 'bulk' || kind === 'import')
  if (job === undefined) return
  const message = `The job '${job.id}' (${job.kind}) is under way and may hold values of the record: try again when it has ended`
  throw conflict(message)
}
