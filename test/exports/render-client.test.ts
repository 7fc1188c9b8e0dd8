// Rendering in threads: a finished file or none, whatever happens.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { PimletError } from '../../src/kernel/errors.ts'
import { TEXT_FORMATS } from '../../src/exports/rules/export-format.ts'
import { createRenderer, type Renderer, type RendererOptions } from '../../src/exports/rendering/render-client.ts'
import { exportModel } from '../helpers/export-model.ts'
import { parsers } from '../helpers/export-parsers.ts'
import {
  everything,
  type ExportStore,
  openExportStore,
  type RecordToStore,
  storeRecords,
} from '../helpers/export-store.ts'
import { type Lifetime, sharedInSuite } from '../helpers/shared-in-suite.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const never = new AbortController().signal

interface Opened extends ExportStore {
  readonly renderer: Renderer
  /** Where spool files go: nothing else is in it. */
  readonly spool: string
  readonly spoolFile: string
}

async function open(
  test: Lifetime,
  records: readonly RecordToStore[],
  options: Partial<RendererOptions> = {},
): Promise<Opened> {
  const opened = await openExportStore(test)
  await storeRecords(opened.store, records)
  const renderer = createRenderer({
    location: opened.store.location,
    onFault: (message, error) => assert.fail(`${message}: ${String(error)}`),
    ...options,
  })
  const spool = makeTempDirectory()
  return { ...opened, renderer: opened.closeFirst(renderer), spool, spoolFile: path.join(spool, 'run-1') }
}

const named = (value: unknown) => ({ name: [{ scope: { language: 'de' }, value }] })

function someRecords(count: number, text = 'Hemd'): RecordToStore[] {
  return Array.from({ length: count }, (_, index) => ({ id: `ent-${index}`, values: named(`${text} ${index}`) }))
}

/** Some tenths of a second of rendering, in values that no search has to know. */
function muchToRender(): RecordToStore[] {
  const extra = (record: number) =>
    Array.from({ length: 200 }, (_, index) => ({ part: index, code: (record * 7919 + index * 104_729) % 1_000_003 }))
  return Array.from({ length: 2000 }, (_, index) => ({
    id: `ent-${index}`,
    values: { extra: [{ scope: {}, value: extra(index) }] },
  }))
}

const hasCode = (code: string, message?: RegExp) => (error: unknown) =>
  error instanceof PimletError && error.code === code && (message?.test(error.message) ?? true)

const share = (records: readonly RecordToStore[]): (() => Opened) => sharedInSuite((suite) => open(suite, records))

/** For the suites that need much: storing it takes the time as well. */
const much = share(muchToRender())

describe('An export of a few records', () => {
  const opened = share([
    { id: 'ent-1', values: named('Größe "M"') },
    { id: 'ent-2', parentId: 'ent-1', values: { color: [{ scope: {}, value: 'red' }] } },
    { id: 'ent-3', schemaId: 'sch-other' },
  ])
  for (const format of TEXT_FORMATS)
    it(`in ${format} is a private file with the records of the store, of the size, checksum and count that are told`, async () => {
      const { renderer, spool } = opened()
      const spoolFile = path.join(spool, format)
      const rendered = await renderer.render({ ...everything, format, compress: false, spoolFile }, never)
      const bytes = readFileSync(spoolFile)
      assert.deepEqual(rendered, {
        recordCount: 3,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })
      assert.equal(statSync(spoolFile).mode & 0o777, 0o600)
      const parsed = parsers[format](bytes.toString(), exportModel)
      assert.deepEqual(
        parsed.map(({ fixed, values }) => [fixed[0], fixed[2], values]),
        [
          ['ent-1', null, { 'name[language=de]': 'Größe "M"' }],
          ['ent-2', 'ent-1', { 'name[language=de]': 'Größe "M"', 'color[]': 'red' }],
          ['ent-3', null, {}],
        ],
      )
    })
})

describe('An export of many records', () => {
  const opened = share(someRecords(1234))
  for (const format of TEXT_FORMATS) {
    it(`in ${format} is the same when it was compressed, and told with the size and checksum of the compressed file`, async () => {
      const { renderer, spool } = opened()
      const [plain, compressed] = [path.join(spool, `plain-${format}`), path.join(spool, `compressed-${format}`)]
      await renderer.render({ ...everything, format, compress: false, spoolFile: plain }, never)
      const rendered = await renderer.render({ ...everything, format, compress: true, spoolFile: compressed }, never)
      const bytes = readFileSync(compressed)
      assert.ok(gunzipSync(bytes).equals(readFileSync(plain)))
      assert.deepEqual(rendered, {
        recordCount: 1234,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      })
      assert.equal(parsers[format](gunzipSync(bytes).toString(), exportModel).length, 1234)
    })

    it(`in ${format} of nothing is a valid file`, async () => {
      const { renderer, spool } = opened()
      const spoolFile = path.join(spool, `nothing-${format}`)
      const request = { ...everything, format, schemaId: 'sch-other', compress: true, spoolFile }
      assert.equal((await renderer.render(request, never)).recordCount, 0)
      assert.deepEqual(parsers[format](gunzipSync(readFileSync(spoolFile)).toString(), exportModel), [])
    })
  }
})

describe('An export', () => {
  it('selects by all of the request, and carries what the role may read', async (test) => {
    const values = { ...named('geheim'), color: [{ scope: {}, value: 'red' }] }
    const { renderer, spoolFile } = await open(test, [
      { id: 'ent-1', values, lifecycleStateId: 'state-published' },
      { id: 'ent-2', parentId: 'ent-1', lifecycleStateId: 'state-published' },
      { id: 'ent-3', values },
      { id: 'ent-4', schemaId: 'sch-other', lifecycleStateId: 'state-published' },
    ])
    const request = {
      ...everything,
      schemaId: 'sch-all',
      includeVariants: false,
      includeLifecycleStateIds: ['state-published'],
      roleId: 'role-clerk',
      compress: false,
      spoolFile,
    }
    assert.equal((await renderer.render(request, never)).recordCount, 1)
    const text = readFileSync(spoolFile, 'utf8')
    assert.doesNotMatch(text, /geheim|name|price/)
    assert.deepEqual(parsers.jsonl(text, exportModel)[0]!.values, { 'color[]': 'red' })
  })

  it('writes one value per attribute for a scope', async (test) => {
    const { renderer, spoolFile } = await open(test, someRecords(1))
    const request = { ...everything, dimensionScope: { language: 'de' }, compress: false, spoolFile }
    await renderer.render(request, never)
    const { values } = JSON.parse(readFileSync(spoolFile, 'utf8')) as { values: Record<string, unknown> }
    assert.equal(values['name'], 'Hemd 0')
    assert.equal(values['price'], null)
  })

  it('disarms formulas when it is asked to', async (test) => {
    const { renderer, spoolFile } = await open(test, someRecords(1, '=1'))
    const request = { ...everything, format: 'csv', spreadsheetSafe: true, compress: false, spoolFile } as const
    await renderer.render(request, never)
    assert.match(readFileSync(spoolFile, 'utf8'), /,'=1 0\r\n$/)
  })
})

describe('An export that cannot be', () => {
  const refused = async (test: TestContext, roleId: string, code: string) => {
    const { renderer, spool, spoolFile } = await open(test, someRecords(1))
    const request = { ...everything, roleId, compress: false, spoolFile }
    await assert.rejects(renderer.render(request, never), hasCode(code))
    await assert.rejects(renderer.preview(request, 10, never), hasCode(code))
    assert.deepEqual(readdirSync(spool), [])
  }

  it('is refused for a role that is gone', (test) => refused(test, 'role-gone', 'NOT_FOUND'))

  it('is refused for a role that may not read records', (test) => refused(test, 'role-stranger', 'PERMISSION_DENIED'))

  it('leaves a file alone that was there before', async (test) => {
    const { renderer, spoolFile } = await open(test, someRecords(1))
    writeFileSync(spoolFile, 'somebody else’s')
    await assert.rejects(renderer.render({ ...everything, compress: false, spoolFile }, never), /EEXIST/)
    assert.equal(readFileSync(spoolFile, 'utf8'), 'somebody else’s')
  })

  it('is UNAVAILABLE where its thread runs out of memory; the file is gone, the server goes on', async (test) => {
    const faults: string[] = []
    const extra = [{ scope: {}, value: Array.from({ length: 500_000 }, () => ({ a: 1 })) }]
    const { renderer, spool, spoolFile, store, closeFirst } = await open(test, [{ id: 'ent-1', values: { extra } }], {
      memoryLimit: 24,
      onFault: (message) => faults.push(message),
    })
    const request = { ...everything, compress: false, spoolFile }
    await assert.rejects(renderer.render(request, never), hasCode('UNAVAILABLE', /more memory/))
    assert.deepEqual(readdirSync(spool), [])
    assert.equal(faults.length, 1)
    await renderer.preview({ ...everything, schemaId: 'sch-other' }, 1, never)
    const roomy = closeFirst(createRenderer({ location: store.location, onFault: assert.fail }))
    assert.equal((await roomy.render(request, never)).recordCount, 1)
  })
})

describe('An export that is aborted', () => {
  const reason = new Error('cancelled')

  it('rejects with the reason, at whatever moment, and its file is gone', async () => {
    const { renderer } = much()
    const spool = makeTempDirectory()
    let ended = 0
    for (const milliseconds of [0, 20, 60, 100, 150, 200, 300, 400]) {
      const abort = new AbortController()
      const spoolFile = path.join(spool, `run-${milliseconds}`)
      const request = { ...everything, format: 'csv', compress: true, spoolFile } as const
      const rendering = renderer.render(request, abort.signal)
      setTimeout(() => abort.abort(reason), milliseconds)
      try {
        await rendering
        ended += 1
        assert.ok(existsSync(spoolFile))
      } catch (error) {
        assert.equal(error, reason)
        assert.equal(existsSync(spoolFile), false)
      }
    }
    assert.ok(ended < 8, 'some were aborted')
  })

  it('before it began makes no file', async (test) => {
    const { renderer, spool, spoolFile } = await open(test, [])
    const request = { ...everything, compress: false, spoolFile }
    await assert.rejects(renderer.render(request, AbortSignal.abort(reason)), reason)
    assert.deepEqual(readdirSync(spool), [])
  })

  it('while it waits for its turn leaves the turn to others', async (test) => {
    const { renderer, spool } = await open(test, someRecords(100))
    const abort = new AbortController()
    const render = (index: number, signal: AbortSignal) =>
      renderer.render({ ...everything, compress: false, spoolFile: path.join(spool, `run-${index}`) }, signal)
    const before = [0, 1].map((index) => render(index, never))
    const waiting = render(2, abort.signal)
    const after = [3, 4].map((index) => render(index, never))
    abort.abort(reason)
    await assert.rejects(waiting, reason)
    await Promise.all([...before, ...after])
    assert.deepEqual(readdirSync(spool).sort(), ['run-0', 'run-1', 'run-3', 'run-4'])
  })
})

describe('A renderer that is closed', () => {
  it('ends what is under way and what waits, leaves no file, and refuses what comes later', async () => {
    const { store, closeFirst } = much()
    const renderer = closeFirst(createRenderer({ location: store.location, onFault: assert.fail }))
    const spool = makeTempDirectory()
    const render = (index: number) =>
      renderer.render({ ...everything, compress: true, spoolFile: path.join(spool, `run-${index}`) }, never)
    const rejected = [0, 1, 2, 3].map((index) => assert.rejects(render(index), hasCode('UNAVAILABLE')))
    await sleep(50)
    await renderer.close()
    assert.deepEqual(readdirSync(spool), [])
    await Promise.all(rejected)
    await assert.rejects(render(5), hasCode('UNAVAILABLE', /shutting down/))
    await assert.rejects(renderer.preview(everything, 1, never), hasCode('UNAVAILABLE'))
    await renderer.close()
  })
})

describe('A preview', () => {
  it('is the whole text of an export of the first records', async (test) => {
    const { renderer, spoolFile } = await open(test, [
      { id: 'ent-1', values: named('a') },
      { id: 'ent-2', values: named('b') },
      { id: 'ent-3', values: { color: [{ scope: {}, value: 'red' }] } },
    ])
    for (const format of TEXT_FORMATS) {
      const text = await renderer.preview({ ...everything, format }, 2, never)
      const parsed = parsers[format](text, exportModel)
      assert.deepEqual(
        parsed.map(({ fixed, values }) => [fixed[0], values['name[language=de]']]),
        [
          ['ent-1', 'a'],
          ['ent-2', 'b'],
        ],
      )
      assert.equal(text.includes('color'), false)
    }
    const whole = await renderer.preview({ ...everything, format: 'csv' }, 100, never)
    await renderer.render({ ...everything, format: 'csv', compress: false, spoolFile }, never)
    assert.equal(whole, readFileSync(spoolFile, 'utf8'))
  })

  it('has U+FFFD for half a surrogate pair, as a file has', async (test) => {
    const { renderer } = await open(test, someRecords(1, 'a\uD800'))
    for (const format of ['csv', 'xml'] as const)
      assert.match(await renderer.preview({ ...everything, format }, 1, never), /a\uFFFD 0/)
  })

  it('ends early where records are very large', async (test) => {
    const { renderer } = await open(test, someRecords(10, 'x'.repeat(400_000)))
    const text = await renderer.preview(everything, 10, never)
    assert.equal(parsers.jsonl(text, exportModel).length, 3)
  })

  it('ends early where columns repeat large values, and has 16 MiB at most', async (test) => {
    const { renderer } = await open(test, someRecords(3, 'x'.repeat(60_000)))
    const previewOf = async (count: number): Promise<string> => {
      const names = Array.from({ length: count }, (_, index) => `h${index}`)
      const columns = names.map((header) => ({ header, attributeAlias: 'name', scope: { language: 'de' } }))
      return renderer.preview({ ...everything, columns }, 3, never)
    }
    assert.equal((await previewOf(1)).trim().split('\n').length, 3)
    assert.equal((await previewOf(10)).trim().split('\n').length, 2)
    assert.equal((await previewOf(500)).length, 16 * 1024 * 1024)
  })

  it('does not wait behind exports, and is refused where too many wait', async () => {
    const { renderer } = much()
    const spool = makeTempDirectory()
    let rendered = 0
    const exports = [0, 1, 2].map(async (index) => {
      const spoolFile = path.join(spool, `run-${index}`)
      await renderer.render({ ...everything, compress: true, spoolFile }, never)
      rendered += 1
    })
    await renderer.preview(everything, 1, never)
    assert.ok(rendered < 3)
    const abort = new AbortController()
    const many = Array.from({ length: 60 }, () => renderer.preview(everything, 1, abort.signal))
    await assert.rejects(many.at(-1)!, hasCode('UNAVAILABLE', /Too many/))
    abort.abort()
    await Promise.allSettled(many)
    await Promise.all(exports)
  })
})
