// The committed model as this process knows it. A number that rises with every change reports changes by other servers.
// Each question for the model also reads that number.
import type { Asked } from '../store/rows/session.ts'
import { ModelState } from './model-state.ts'
import { readWorkspace } from './workspace-row.ts'

export class ModelCache {
  #state: ModelState | undefined
  #version = -1
  #credentials = -1
  #next: Promise<void> | undefined

  /** The model of a version that `from` sees, which may be older than the newest version that this process knows. */
  async at(version: number, from: Asked): Promise<ModelState> {
    if (version === this.#version && this.#state !== undefined) return this.#state
    const loaded = await ModelState.load(from, this.#state)
    if (loaded.version > this.#version) this.put(loaded.state, loaded.version)
    return loaded.state
  }

  /** It is committed. */
  put(state: ModelState, version: number): void {
    this.#state = state
    this.#version = version
  }

  /** The version of users and keys, as `fresh` read it last. */
  get credentials(): number {
    return this.#credentials
  }

  /** As it was when `fresh` was asked last, or this process changed it. */
  async state(from: Asked): Promise<ModelState> {
    if (this.#state === undefined) await this.at(-2, from)
    return this.#state!
  }

  /** Resolves when the model is as new as this call. Callers in one turn of the event loop share the answer. */
  fresh(from: Asked): Promise<void> {
    this.#next ??= new Promise((resolve, reject) => {
      // Each request that has arrived in one turn is served in a callback of its own.
      setImmediate(() => {
        this.#next = undefined
        this.#learn(from).then(resolve, reject)
      })
    })
    return this.#next
  }

  /** It is of this version at least, which is committed. */
  async learn(version: number, from: Asked): Promise<void> {
    if (version > this.#version) await this.at(version, from)
  }

  async #learn(from: Asked): Promise<void> {
    const { model, credentials } = await readWorkspace(from)
    this.#credentials = Math.max(this.#credentials, credentials)
    await this.learn(model, from)
  }
}
