// Uploads files, two at a time. Each becomes a record or a value, in the order in which the user chose the files.
import { signal } from '@preact/signals'
import type { FileValue } from '../../src/core/datatypes/file.ts'
import { isAborted } from '../api/failures.ts'
import { problemText } from '../fields/problem-text.ts'
import { sayFailure } from '../kit/failure-text.ts'
import type { Call } from '../api/call.ts'
import { uploadFile } from '../state/pictures.ts'
import { t } from '../words/place.ts'
import { PictureFault } from './make-picture.ts'

const AT_ONCE = 2

export interface Upload {
  readonly key: number
  readonly file: File
  /** The uploaded share, from 0 to 1; undefined: the file waits. */
  readonly share?: number | undefined
  /** The reason why the file is no picture of the list. */
  readonly failure?: string | undefined
}

export class Uploads<Made = unknown> {
  readonly items = signal<readonly Upload[]>([])
  readonly #call: Call
  readonly #make: (value: FileValue) => Made | Promise<Made>
  readonly #onMade: (made: Made) => void
  readonly #stops = new Map<number, AbortController>()
  #lastKey = 0
  /** Settled when all earlier files have become pictures, or have failed. */
  #before: Promise<void> = Promise.resolve()

  constructor(call: Call, make: (value: FileValue) => Made | Promise<Made>, onMade: (made: Made) => void) {
    this.#call = call
    this.#make = make
    this.#onMade = onMade
  }

  /** @param room the number of pictures that the list may still contain */
  add(files: readonly File[], room: number): void {
    const left = room - this.items.peek().filter(({ failure }) => failure === undefined).length
    const added = files.map((file, at): Upload => {
      this.#lastKey += 1
      const item = { key: this.#lastKey, file }
      return at < left ? item : { ...item, failure: t('gallery.full') }
    })
    this.items.value = [...this.items.peek(), ...added]
    this.#next()
  }

  retry({ key, file }: Upload): void {
    this.drop(key)
    this.add([file], Infinity)
  }

  drop(key: number): void {
    this.#stops.get(key)?.abort()
    this.items.value = this.items.peek().filter((item) => item.key !== key)
  }

  close(): void {
    for (const stop of this.#stops.values()) stop.abort()
    this.items.value = []
  }

  #next(): void {
    for (const item of this.items.peek()) {
      if (this.#stops.size >= AT_ONCE) return
      if (item.share === undefined && item.failure === undefined) void this.#run(item)
    }
  }

  async #run({ key, file }: Upload): Promise<void> {
    const stop = new AbortController()
    const before = this.#before
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#before = promise
    this.#stops.set(key, stop)
    const onProgress = (share: number): void => this.#put(key, { share })
    onProgress(0)
    try {
      const value = await uploadFile(this.#call, file, { signal: stop.signal, onProgress })
      await before
      stop.signal.throwIfAborted()
      this.#onMade(await this.#make(value))
      this.drop(key)
    } catch (error) {
      if (!isAborted(error)) this.#put(key, { failure: failureOf(error as Error) })
    } finally {
      this.#stops.delete(key)
      resolve()
      this.#next()
    }
  }

  #put(key: number, change: Partial<Upload>): void {
    this.items.value = this.items.peek().map((item) => (item.key === key ? { ...item, ...change } : item))
  }
}

function failureOf(error: Error): string {
  return error instanceof PictureFault
    ? t('record.problem', { problem: problemText(error.message) })
    : sayFailure(error)
}
