// Describes files and renders pictures in a few processes of their own. So no content can slow down, fill or end the
// server. Contract 4 §1, 4 §3.
import { rmSync, statSync } from 'node:fs'
import { PimletError } from '../../kernel/errors.ts'
import { Gate, tooMany } from '../../kernel/gate.ts'
import { translateFileError } from '../../kernel/machine/whole-files.ts'
import type { Focus, MadePreset } from '../rules/presets.ts'
import { Ended, PictureWorker } from './picture-worker.ts'
import { type Answer, type Description, LIGHT, type Question, type Rendered, SMALL_FILE } from './questions.ts'

/** Questions that wait. */
const MAX_WAITING = 100
/** Milliseconds after which an unused process ends. */
const IDLE = 60_000
/** Bytes of memory for each process; a picture that takes more than all of it is alone. */
const MEMORY = 112e6
/** Seconds after which somebody who may not wait may try again. */
const RETRY_AFTER = 2

export interface PictureOptions {
  /** The executable puts native code there. */
  readonly dataDir: string
  /** Processes at a time. */
  readonly pictureWorkers: number
  readonly onFault: (message: string) => void
  /** Milliseconds, which tests change. */
  readonly idle?: number
  readonly maxTime?: number
}

/** Runs work with a file of the bytes, which may have to be fetched. */
export type WithFile = <Result>(work: (path: string) => Promise<Result>) => Promise<Result>

export interface RenderRequest {
  /** It is called when it is the picture's turn: few files are fetched at once. */
  readonly withOriginal: WithFile
  readonly preset: MadePreset
  readonly focus?: Focus | undefined
  /** A file to write, which must not exist. It is removed after a failure. */
  readonly output: string
}

type Without<Asked, Member extends PropertyKey> = Asked extends unknown ? Omit<Asked, Member> : never

/** A question, but for the memory that is granted for it. */
type Asking = (path: string) => Without<Question, 'granted'>

export class Pictures {
  readonly #options: PictureOptions
  readonly #places: Gate
  readonly #memory: Gate
  /** The last used one first. */
  readonly #idle: PictureWorker[] = []
  readonly #workers = new Set<PictureWorker>()
  readonly #timers = new Map<PictureWorker, NodeJS.Timeout>()
  #isClosed = false
  #fault: string | undefined

  constructor(options: PictureOptions) {
    this.#options = options
    const refuse = (): Error => tooMany('pictures', RETRY_AFTER)
    this.#places = new Gate({ size: options.pictureWorkers, maxWaiting: MAX_WAITING, refuse })
    this.#memory = new Gate({ size: options.pictureWorkers * MEMORY })
  }

  /** Processes that run. */
  get running(): number {
    return this.#workers.size
  }

  /**
   * Facts about a file, from its content alone. Content that is broken, or that ends its process, has fewer facts.
   * @throws UNAVAILABLE where too many wait or the file cannot be read, and the signal's reason
   */
  async describe({ path }: { readonly path: string }, signal?: AbortSignal): Promise<Description> {
    const describe = async (isTypeOnly: boolean): Promise<Description> => {
      const answer = await this.#ask(
        (work) => work(path),
        (file) => ({ kind: 'describe', path: file, isTypeOnly }),
        signal,
      )
      if (answer.kind === 'described') return answer.description
      throw unavailable(answer)
    }
    return describe(false)
      .catch((error: unknown) => (error instanceof Ended ? describe(true) : Promise.reject(error as Error)))
      .catch((error: unknown) => (error instanceof Ended ? UNKNOWN : Promise.reject(error as Error)))
  }

  /**
   * Writes a rendition to `output`.
   * @throws NOT_RENDERABLE, UNAVAILABLE where too many wait or this machine cannot do so, and the signal's reason
   */
  async render({ withOriginal, preset, focus, output }: RenderRequest, signal?: AbortSignal): Promise<Rendered> {
    try {
      const answer = await this.#ask(withOriginal, (path) => ({ kind: 'render', path, preset, focus, output }), signal)
      if (answer.kind === 'rendered') return answer.rendered
      if (answer.kind === 'notRenderable') throw notRenderable(answer.why)
      throw unavailable(answer)
    } catch (error) {
      rmSync(output, { force: true })
      throw error instanceof Ended ? notRenderable(error.message) : error
    }
  }

  /** Ends all processes; open questions fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#workers].map((worker) => worker.kill('was given up because the server ends')))
  }

  /** Only waiting can be given up: a question that has begun ends soon. */
  #ask(withFile: WithFile, asking: Asking, signal: AbortSignal | undefined): Promise<Answer> {
    return this.#places.run(() => withFile((path) => this.#askOne(path, asking(path))), { signal })
  }

  /** @throws Ended */
  async #askOne(path: string, question: Without<Question, 'granted'>): Promise<Answer> {
    const size = sizeOf(path)
    const answer = await this.#askWith(LIGHT + (size <= SMALL_FILE ? 0 : size), question)
    return answer.kind === 'heavy' ? this.#askWith(answer.bytes, question) : answer
  }

  /** A process keeps the memory that it once took. So a process that took much memory ends. */
  #askWith(granted: number, question: Without<Question, 'granted'>): Promise<Answer> {
    const ask = async (): Promise<Answer> => {
      const worker = this.#take()
      try {
        return await worker.ask({ ...question, granted })
      } finally {
        if (granted > LIGHT) await worker.kill()
        this.#putBack(worker)
      }
    }
    return this.#memory.run(ask, { weight: granted })
  }

  #take(): PictureWorker {
    if (this.#isClosed) throw new PimletError('UNAVAILABLE', 'The server is shutting down')
    const known = this.#idle.shift()
    if (known !== undefined) {
      clearTimeout(this.#timers.get(known))
      this.#timers.delete(known)
      if (!known.isOver) return known
      this.#workers.delete(known)
      return this.#take()
    }
    const worker = new PictureWorker({ ...this.#options, onFault: (message) => this.#tell(message) })
    this.#workers.add(worker)
    return worker
  }

  #putBack(worker: PictureWorker): void {
    if (worker.isOver || this.#isClosed) return void this.#workers.delete(worker)
    this.#idle.unshift(worker)
    const timer = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(worker), 1)
      this.#timers.delete(worker)
      void worker.kill().then(() => this.#workers.delete(worker))
    }, this.#options.idle ?? IDLE)
    this.#timers.set(worker, timer.unref())
  }

  /** Once: each process would say the same. */
  #tell(fault: string): void {
    if (this.#fault === undefined) this.#options.onFault(fault)
    this.#fault = fault
  }
}

const UNKNOWN: Description = {
  mediaType: 'application/octet-stream',
  width: null,
  height: null,
  pages: null,
  thumbhash: null,
}

/** `why` follows "the file". */
function notRenderable(why: string): PimletError {
  return new PimletError('NOT_RENDERABLE', `The file ${why}`)
}

function unavailable(answer: Answer): PimletError {
  const why = answer.kind === 'failed' ? answer.message : `unexpected answer ${answer.kind}`
  return new PimletError('UNAVAILABLE', `Pictures cannot be processed: ${why}`)
}

/** @throws UNAVAILABLE */
function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch (error) {
    return translateFileError(error)
  }
}
