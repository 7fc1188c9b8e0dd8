// The directory of renditions. The name of a file has the key, the size and the digest of its content. So nothing else has
// to be stored, and a damaged file is noticed. The time of a file is the time of its last use.
import { createHash } from 'node:crypto'
import { type Dirent, mkdirSync } from 'node:fs'
import { mkdir, opendir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { eachChunk } from '../../kernel/machine/file-chunks.ts'
import { isOfSystem } from '../../kernel/machine/whole-files.ts'
import type { System } from '../../kernel/machine/system.ts'

export interface StoredRendition {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** Milliseconds: a file that was used less long ago stays, because somebody may be about to open it. */
const IN_USE = 60_000
/** Milliseconds after which the next use is noted. */
const NOTED = 10_000
/** Milliseconds between two looks through all files. */
const PAUSE = 10_000
/** A file takes whole blocks of a disk. */
const BLOCK = 4096
/** The part of the limit that stays when files are removed: then that is not due again soon. */
const REST = 0.9
/** Renditions that are known to be intact. */
const MAX_INTACT = 20_000
const NAME = /^([0-9a-f]{64})\.(\d{1,12})\.([0-9a-f]{64})$/
const PART = '.part'
/** Characters of a key in the name of a file. */
const KEY_LENGTH = 64

export class RenditionFiles {
  readonly #directory: string
  readonly #maxBytes: number
  readonly #system: System
  /** By key. */
  readonly #intact = new Map<string, StoredRendition>()
  #bytes = 0
  #lookedAt = -Infinity
  #tidying: Promise<void> | undefined
  #isTidyingPlanned = false

  /** @throws the system's error */
  constructor(directory: string, maxBytes: number, system: System) {
    this.#directory = directory
    this.#maxBytes = maxBytes
    this.#system = system
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  }

  /** A file to write a rendition to. */
  newPart(key: string): string {
    return path.join(this.#directory, `${key}.${this.#system.randomBytes(6).toString('hex')}${PART}`)
  }

  /** Undefined: there is none, or a damaged one, which is removed. */
  async find(key: string): Promise<StoredRendition | undefined> {
    const stored = this.#intact.get(key) ?? (await this.#look(key))
    if (stored === undefined) return undefined
    const facts = await stat(stored.path).catch(ignoreMissing)
    if (facts === undefined) {
      this.#intact.delete(key)
      return undefined
    }
    if (facts.size !== stored.size || !(await this.#isIntact(key, stored))) {
      this.#intact.delete(key)
      await rm(stored.path, { force: true })
      return undefined
    }
    const now = this.#system.now()
    if (now.getTime() - facts.mtimeMs > NOTED) await utimes(stored.path, now, now).catch(ignoreMissing)
    return stored
  }

  async #look(key: string): Promise<StoredRendition | undefined> {
    const names = await readdir(this.#shardOf(key)).catch(ignoreMissing)
    const name = names?.find((candidate) => candidate.startsWith(`${key}.`) && NAME.test(candidate))
    return name === undefined ? undefined : this.#toStored(key, name)
  }

  /** Gives the written `part` its name. */
  async add(key: string, part: string, { size, sha256 }: Omit<StoredRendition, 'path'>): Promise<StoredRendition> {
    const stored = this.#toStored(key, `${key}.${size}.${sha256}`)
    const now = this.#system.now()
    await utimes(part, now, now)
    await mkdir(path.dirname(stored.path), { recursive: true, mode: 0o700 })
    await rename(part, stored.path)
    this.#noteIntact(key, stored)
    this.#bytes += onDisk(size)
    if (this.#bytes > this.#maxBytes && now.getTime() - this.#lookedAt > PAUSE) void this.tidy()
    this.#tidyLater()
    return stored
  }

  /** Files of the last minute stay at first, also where no further file comes. */
  #tidyLater(): void {
    if (this.#bytes <= this.#maxBytes || this.#isTidyingPlanned) return
    this.#isTidyingPlanned = true
    const begin = (): void => {
      this.#isTidyingPlanned = false
      void this.tidy()
    }
    setTimeout(begin, IN_USE + PAUSE).unref()
  }

  /** Removes unfinished files, and counts the rest. */
  async begin(): Promise<void> {
    for (const name of await readdir(this.#directory))
      if (name.endsWith(PART)) await rm(path.join(this.#directory, name), { force: true })
    await this.tidy()
  }

  /** Removes the files that were least recently used, if there are too many. Never rejects. */
  tidy(): Promise<void> {
    this.#tidying ??= this.#tidy()
      // A disk that fails is reported by those who need a rendition.
      .catch(() => undefined)
      .finally(() => (this.#tidying = undefined))
    return this.#tidying
  }

  async #tidy(): Promise<void> {
    const now = this.#system.now().getTime()
    this.#lookedAt = now
    const bytesAt = new Map<number, number>()
    let bytes = 0
    for await (const { size, usedAt } of this.#all()) {
      bytes += onDisk(size)
      bytesAt.set(usedAt, (bytesAt.get(usedAt) ?? 0) + onDisk(size))
    }
    this.#bytes = bytes
    if (bytes <= this.#maxBytes) return
    let last = -Infinity
    for (const [usedAt, some] of [...bytesAt].toSorted(([one], [other]) => one - other)) {
      if (bytes <= this.#maxBytes * REST || usedAt * 1000 > now - IN_USE) break
      bytes -= some
      last = usedAt
    }
    for await (const { file, size, usedAt } of this.#all()) {
      if (usedAt > last) continue
      await rm(file, { force: true })
      this.#intact.delete(path.basename(file).slice(0, KEY_LENGTH))
      this.#bytes -= onDisk(size)
    }
    this.#tidyLater()
  }

  /** `usedAt`: seconds since 1970. */
  async *#all(): AsyncGenerator<{ file: string; size: number; usedAt: number }> {
    for (const shard of await readdir(this.#directory, { withFileTypes: true })) {
      if (!shard.isDirectory()) continue
      for await (const entry of await opendir(path.join(this.#directory, shard.name))) {
        const size = sizeIn(entry)
        if (size === undefined) continue
        const file = path.join(entry.parentPath, entry.name)
        const facts = await stat(file).catch(ignoreMissing)
        if (facts !== undefined) yield { file, size, usedAt: Math.floor(facts.mtimeMs / 1000) }
      }
    }
  }

  #shardOf(key: string): string {
    return path.join(this.#directory, key.slice(0, 3))
  }

  #toStored(key: string, name: string): StoredRendition {
    const [, , size, sha256 = ''] = NAME.exec(name)!
    return { path: path.join(this.#shardOf(key), name), size: Number(size), sha256 }
  }

  /** Reads each file once. */
  async #isIntact(key: string, stored: StoredRendition): Promise<boolean> {
    if (this.#intact.has(key)) return true
    const { path: file, sha256 } = stored
    const hash = createHash('sha256')
    await eachChunk(file, (chunk) => hash.update(chunk))
    if (hash.digest('hex') !== sha256) return false
    this.#noteIntact(key, stored)
    return true
  }

  #noteIntact(key: string, stored: StoredRendition): void {
    if (this.#intact.size >= MAX_INTACT) this.#intact.delete(this.#intact.keys().next().value!)
    this.#intact.set(key, stored)
  }
}

function sizeIn(entry: Dirent): number | undefined {
  const size = NAME.exec(entry.name)?.[2]
  return size === undefined ? undefined : Number(size)
}

function onDisk(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK
}

function ignoreMissing(error: unknown): undefined {
  if (!isOfSystem(error) || error.code !== 'ENOENT') throw error
}
