// A store in which a model change halts at a stage, so that a test can look around.
import type { ModelChangeStage } from '../../src/core/model/rules/model-change.ts'
import type { Store } from '../../src/store/port.ts'
import { over } from './over.ts'

export interface HeldStore extends Store {
  /** Halts the next change before a step of the stage, by default the first. Resolves when the change has halted. */
  untilAt(stage: ModelChangeStage, step?: number): Promise<void>
  /** Lets the change continue. */
  release(): void
  /** Makes this many next transactions throw the error before they begin. */
  failNext(times: number, error: Error): void
}

export function holdStore(store: Store): HeldStore {
  let hold: { stage: ModelChangeStage; steps: number; reached: () => void } | undefined
  let release: () => void = () => undefined
  let failures: { times: number; error: Error } | undefined

  async function passOrHold(): Promise<void> {
    const changes = hold === undefined ? [] : await store.read.modelChanges.list()
    if (hold === undefined || !changes.some(({ stage }) => stage === hold!.stage)) return
    hold.steps -= 1
    if (hold.steps > 0) return
    const released = new Promise<void>((resolve) => (release = resolve))
    hold.reached()
    hold = undefined
    await released
  }

  const records = over(store.read.records, {
    async listFrom(schemaId: string, place: number, limit: number) {
      await passOrHold()
      return store.read.records.listFrom(schemaId, place, limit)
    },
  })
  const held = over(store, {
    read: over(store.read, { records }),
    transaction(work) {
      if (failures === undefined || failures.times === 0) return store.transaction(work)
      failures.times -= 1
      return Promise.reject(failures.error)
    },
    whenCalm: () => passOrHold(),
  })
  const controls: Omit<HeldStore, keyof Store> = {
    untilAt: (stage, step = 1) => new Promise((resolve) => (hold = { stage, steps: step, reached: resolve })),
    release: () => release(),
    failNext: (times, error) => void (failures = { times, error }),
  }
  return over(held as HeldStore, controls)
}
