// Renditions: made when they are first asked for, once for all who ask, and kept on the disk. Contract 4 §3.
import { createHash } from 'node:crypto'
import { PimletError } from '../../kernel/errors.ts'
import { isOfSystem, translateFileError } from '../../kernel/machine/whole-files.ts'
import { definitionOf, type Focus, type MadePreset, mediaTypeOf } from '../rules/presets.ts'
import type { Pictures, WithFile } from './pictures.ts'
import type { RenditionFiles, StoredRendition } from './rendition-files.ts'

interface RenditionRequest {
  /** Of the original, in lower-case hexadecimal. */
  readonly sha256: string
  readonly preset: MadePreset
  readonly focus?: Focus | undefined
  /** Called only if the rendition has to be made. */
  readonly withOriginal: WithFile
}

export interface Rendition {
  /** The file stays for a minute at least. */
  readonly path: string
  readonly size: number
  readonly mediaType: string
  readonly etag: string
}

interface Making {
  readonly result: Promise<StoredRendition>
  readonly abort: AbortController
  asking: number
}

/** Files that cannot be rendered, and how long that is remembered: milliseconds. */
const MAX_REFUSED = 1000
const REFUSED_FOR = 60_000

export class Renditions {
  readonly #files: RenditionFiles
  readonly #pictures: Pick<Pictures, 'render'>
  readonly #makings = new Map<string, Making>()
  readonly #refused = new Map<string, { readonly error: PimletError; readonly until: number }>()

  constructor(files: RenditionFiles, pictures: Pick<Pictures, 'render'>) {
    this.#files = files
    this.#pictures = pictures
  }

  /** @throws NOT_RENDERABLE, UNAVAILABLE, errors of `withOriginal`, and the signal's reason */
  async get(request: RenditionRequest, signal?: AbortSignal): Promise<Rendition> {
    const { sha256, preset, focus } = request
    const key = createHash('sha256')
      .update(`${sha256}\n${definitionOf(preset, focus)}`)
      .digest('hex')
    const stored = (await this.#files.find(key).catch(translate)) ?? (await this.#join(key, request, signal))
    return { path: stored.path, size: stored.size, mediaType: mediaTypeOf(preset), etag: stored.sha256 }
  }

  /** A making ends when nobody waits for it any more, unless it has begun. */
  async #join(key: string, request: RenditionRequest, signal: AbortSignal | undefined): Promise<StoredRendition> {
    signal?.throwIfAborted()
    const making = this.#makings.get(key) ?? this.#begin(key, request)
    making.asking += 1
    const gone = Promise.withResolvers<never>()
    const leave = (): void => {
      making.asking -= 1
      if (making.asking === 0) making.abort.abort(signal?.reason)
      gone.reject(signal?.reason as Error)
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([making.result, gone.promise])
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #begin(key: string, request: RenditionRequest): Making {
    const abort = new AbortController()
    const forget = (): void => void (this.#makings.get(key) === making && this.#makings.delete(key))
    const making: Making = { result: this.#make(key, request, abort.signal).finally(forget), abort, asking: 0 }
    // All callers may be gone.
    making.result.catch(() => undefined)
    // A later caller begins another rendition.
    abort.signal.addEventListener('abort', forget, { once: true })
    this.#makings.set(key, making)
    return making
  }

  async #make(
    key: string,
    { preset, focus, withOriginal }: RenditionRequest,
    signal: AbortSignal,
  ): Promise<StoredRendition> {
    const refused = this.#refused.get(key)
    if (refused !== undefined && performance.now() < refused.until) throw refused.error
    try {
      const output = this.#files.newPart(key)
      const rendered = await this.#pictures.render({ withOriginal, preset, focus, output }, signal)
      return await this.#files.add(key, output, rendered)
    } catch (error) {
      if (error instanceof PimletError && error.code === 'NOT_RENDERABLE') this.#refuse(key, error)
      return translate(error)
    }
  }

  /** A caller that repeats a slow request must not keep the processes busy. */
  #refuse(key: string, error: PimletError): void {
    if (this.#refused.size >= MAX_REFUSED) this.#refused.delete(this.#refused.keys().next().value!)
    this.#refused.set(key, { error, until: performance.now() + REFUSED_FOR })
  }
}

function translate(error: unknown): never {
  if (isOfSystem(error)) translateFileError(error)
  throw error
}
