// The committed model as this process knows it. A number rises with every change, so a process notices changes by other
// servers. Each query for the model also reads this number.
import type { Asked } from '../store/rows/session.ts'
import { ModelState } from './model-state.ts'
import { readWorkspace } from './workspace-row.ts'

export class ModelCache {
  #state: ModelState | undefined
  #version = -1
  #credentials = -1
  #next: Promise<void> | undefined

  /**
   * Returns the model of a version that `from` sees. This version may be older than the newest version that this
   * process knows.
   */
  async at(version: number, from: Asked): Promise<ModelState> {
    if (version === this.#version && this.#state !== undefined) return this.#state
    const loaded = await ModelState.load(from, this.#state)
    if (loaded.version > this.#version) this.put(loaded.state, loaded.version)
    return loaded.state
  }

  /** Stores a committed model. */
  put(state: ModelState, version: number): void {
    this.#state = state
    this.#version = version
  }

  /** The version of users and keys that `fresh` read last. */
  get credentials(): number {
    return this.#credentials
  }

  /** Returns the model of the last call of `fresh`, or of a later change by this process. */
  async state(from: Asked): Promise<ModelState> {
    if (this.#state === undefined) await this.at(-2, from)
    return this.#state!
  }

  /** Resolves when the model is as new as this call. Callers in one turn of the event loop share the answer. */
  fresh(from: Asked): Promise<void> {
    this.#next ??= new Promise((resolve, reject) => {
      // Each request of one turn of the event loop runs in its own callback. All of them share this answer.
      setImmediate(() => {
        this.#next = undefined
        this.#learn(from).then(resolve, reject)
      })
    })
    return this.#next
  }

  /** Loads the model unless this process knows it in this committed version or a later one. */
  async learn(version: number, from: Asked): Promise<void> {
    if (version > this.#version) await this.at(version, from)
  }

  async #learn(from: Asked): Promise<void> {
    const { model, credentials } = await readWorkspace(from)
    this.#credentials = Math.max(this.#credentials, credentials)
    await this.learn(model, from)
  }
}
