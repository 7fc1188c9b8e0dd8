// How renditions are kept: made once, found after a restart, removed when they are many, never served damaged. Contract 4 §3.
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { PimletError } from '../../../src/kernel/errors.ts'
import { system } from '../../../src/kernel/machine/system.ts'
import type { RenderRequest } from '../../../src/files/pictures/pictures.ts'
import { RenditionFiles } from '../../../src/files/pictures/rendition-files.ts'
import { Renditions } from '../../../src/files/pictures/renditions.ts'
import { definePreset, FIRST_PRESETS, type MadePreset } from '../../../src/files/rules/presets.ts'
import { eventually } from '../../helpers/puppet.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { keep, makePictures, redAndBlue } from './pictures-of-tests.ts'
import { createHash } from 'node:crypto'

const thumb = FIRST_PRESETS[0] as MadePreset
const SIZE = 100_000

/** Renditions of random bytes, which are counted; `now` is the time in seconds. */
function makeFake({ directory = makeTempDirectory(), max = 1e9 } = {}) {
  const clock = { now: 1_800_000_000 }
  const made: string[] = []
  let release: Promise<void> = Promise.resolve()
  const render = async (request: RenderRequest, signal?: AbortSignal) => {
    const name = await request.withOriginal((path) => Promise.resolve(path))
    made.push(name)
    await Promise.race([
      release,
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
    ])
    if (name === 'broken') throw new PimletError('NOT_RENDERABLE', 'The file is broken')
    const content = system.randomBytes(SIZE)
    writeFileSync(request.output, content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { mediaType: 'image/webp', size: SIZE, sha256, width: 1, height: 1 }
  }
  const files = new RenditionFiles(directory, max, { ...system, now: () => new Date(clock.now * 1000) })
  const renditions = new Renditions(files, { render })
  const get = (name: string, signal?: AbortSignal) =>
    renditions.get({ sha256: name, preset: thumb, withOriginal: (work) => work(name) }, signal)
  const hold = (): (() => void) => {
    const held = Promise.withResolvers<void>()
    release = held.promise
    return held.resolve
  }
  return { directory, clock, made, files, renditions, get, hold }
}

describe('A rendition', () => {
  it('is made of a picture by its preset when it is first asked for, and kept', async () => {
    const files = new RenditionFiles(makeTempDirectory(), 1e9, system)
    const renditions = new Renditions(files, makePictures())
    const original = keep(await redAndBlue(600, 400).toBuffer())
    let opened = 0
    const withOriginal = <Result>(work: (file: string) => Promise<Result>): Promise<Result> => {
      opened += 1
      return work(original)
    }
    const first = await renditions.get({ sha256: 'a'.repeat(64), preset: thumb, withOriginal })
    const { format, width } = await sharp(first.path).metadata()
    assert.deepEqual([format, width, first.mediaType], ['webp', 160, 'image/webp'])
    assert.equal(readFileSync(first.path).length, first.size)
    assert.deepEqual(await renditions.get({ sha256: 'a'.repeat(64), preset: thumb, withOriginal }), first)
    assert.equal(opened, 1)
    await assert.rejects(
      renditions.get({ sha256: 'b'.repeat(64), preset: thumb, withOriginal: (work) => work(keep('text')) }),
      { code: 'NOT_RENDERABLE' },
    )
    assert.deepEqual(
      readdirSync(path.dirname(path.dirname(first.path))).filter((name) => name.endsWith('.part')),
      [],
    )
  })

  it('is another one for another content, definition or focus', async () => {
    const { renditions, made } = makeFake()
    const cover = definePreset('cover', { width: 10, height: 10, fit: 'cover', format: 'webp', focus: 'focus' })
    const withOriginal = <Result>(work: (file: string) => Promise<Result>): Promise<Result> => work('file')
    const requests = [
      { sha256: 'a', preset: thumb },
      { sha256: 'b', preset: thumb },
      { sha256: 'a', preset: { ...thumb, quality: 10 } },
      { sha256: 'a', preset: cover },
      { sha256: 'a', preset: cover, focus: { x: 0.1, y: 0.1 } },
    ]
    const paths = new Set<string>()
    for (const request of requests) paths.add((await renditions.get({ ...request, withOriginal })).path)
    assert.equal(paths.size, 5)
    await renditions.get({ sha256: 'a', preset: { ...thumb, id: 'renamed' }, focus: { x: 0, y: 0 }, withOriginal })
    assert.equal(made.length, 5)
  })

  it('is made once for all who ask at a time; who leaves does not take it from the others', async () => {
    const { get, made, hold } = makeFake()
    const release = hold()
    const leaving = new AbortController()
    const asked = [get('one', leaving.signal), get('one'), get('one')]
    await eventually(() => made.length === 1)
    leaving.abort(new Error('gone'))
    await assert.rejects(asked[0]!, /gone/)
    release()
    assert.deepEqual(await asked[1], await asked[2])
    assert.equal(made.length, 1)
  })

  it('is given up when all who asked have left, and made for who comes then', async () => {
    const { get, made, hold } = makeFake()
    const release = hold()
    const leaving = new AbortController()
    const asked = get('one', leaving.signal)
    await eventually(() => made.length === 1)
    leaving.abort(new Error('gone'))
    await assert.rejects(asked, /gone/)
    release()
    assert.equal((await get('one')).size, SIZE)
    assert.equal(made.length, 2)
  })

  it('that cannot be made is not tried again at once', async () => {
    const { get, made } = makeFake()
    for (let round = 0; round < 3; round += 1) await assert.rejects(get('broken'), { code: 'NOT_RENDERABLE' })
    assert.equal(made.length, 1)
  })

  it('is found after a restart, and is rebuilt if it was damaged or cut short', async () => {
    const before = makeFake()
    const [one, two, three] = [await before.get('one'), await before.get('two'), await before.get('three')]
    truncateSync(two.path, 10)
    const content = readFileSync(three.path)
    content[5]! ^= 1
    writeFileSync(three.path, content)
    const after = makeFake({ directory: before.directory })
    await after.files.begin()
    assert.deepEqual(await after.get('one'), one)
    for (const name of ['two', 'three']) {
      const { path: file, size, etag } = await after.get(name)
      const digest = createHash('sha256').update(readFileSync(file)).digest('hex')
      assert.deepEqual([size, etag], [SIZE, digest])
    }
    assert.deepEqual(after.made, ['two', 'three'])
  })

  it('that grows or vanishes while the server runs is rebuilt', async () => {
    const { get, made } = makeFake()
    appendFileSync((await get('one')).path, 'more')
    assert.equal(readFileSync((await get('one')).path).length, SIZE)
    assert.equal(made.length, 2)
  })

  it('that a crash left unfinished is removed at the start', async () => {
    const directory = makeTempDirectory()
    const part = path.join(directory, 'a'.repeat(64) + '.0123.part')
    writeFileSync(part, 'half')
    await makeFake({ directory }).files.begin()
    assert.ok(!existsSync(part))
  })
})

describe('Renditions beyond their limit', () => {
  it('go where they were least recently used, also before a restart', async () => {
    const max = 10 * SIZE * 1.03
    const before = makeFake({ max })
    const paths = new Map<string, string>()
    for (let at = 0; at < 10; at += 1) {
      paths.set(`file-${at}`, (await before.get(`file-${at}`)).path)
      before.clock.now += 100
    }
    // Used again: the oldest one is the newest now.
    await before.get('file-0')
    const after = makeFake({ max, directory: before.directory })
    after.clock.now = before.clock.now + 100
    await after.files.begin()
    await after.get('file-10')
    await after.files.tidy()
    const left = [...paths].filter(([, file]) => existsSync(file)).map(([name]) => name)
    assert.deepEqual(left, ['file-0', 'file-3', 'file-4', 'file-5', 'file-6', 'file-7', 'file-8', 'file-9'])
  })

  it('go after a while also where nothing is rendered any more', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] })
    const { get, files, clock } = makeFake({ max: 2 * SIZE })
    await files.begin()
    const paths = [await get('one'), await get('two'), await get('three'), await get('four')].map(({ path }) => path)
    clock.now += 80
    test.mock.timers.tick(80_000)
    test.mock.timers.reset()
    await eventually(() => paths.filter((path) => existsSync(path)).length <= 2)
  })

  it('stay while somebody may be about to open them', async () => {
    const { get, files, clock } = makeFake({ max: 2 * SIZE })
    const [one] = [await get('one'), await get('two'), await get('three')]
    await files.tidy()
    assert.ok(existsSync(one.path))
    clock.now += 61
    await files.tidy()
    assert.ok(!existsSync(one.path))
  })
})
