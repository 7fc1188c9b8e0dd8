// docs/exports.md shows what exports look like: its record is rendered, and must look like that.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { TEXT_FORMATS } from '../../src/exports/rules/export-format.ts'
import { BUILT_IN_ROLES } from '../../src/core/accounts/rules/permissions.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { DEFAULT_WORKFLOW } from '../../src/core/model/rules/workflow.ts'
import { createRenderer, type Renderer } from '../../src/exports/rendering/render-client.ts'
import { ColumnsInput } from '../../src/exports/rules/export-columns.ts'
import { findTemplateFault } from '../../src/exports/rules/template/template-reader.ts'
import { assertXml, XmlInput } from '../../src/exports/rules/xml-document.ts'
import { parse } from '../../src/kernel/input/parse.ts'
import { exportFilename } from '../../src/exports/rules/export-filename.ts'
import type { Transaction } from '../../src/store/port.ts'
import { schemaOf } from '../helpers/export-model.ts'
import { everything, openExportStore, type RecordToStore, storeRecords } from '../helpers/export-store.ts'

interface Shown {
  readonly columns?: unknown
  readonly xml?: unknown
}

const page = readFileSync(path.join(import.meta.dirname, '../../docs/exports.md'), 'utf8')

/** The text of the block that begins with ```` ```<name> ````. */
function block(name: string): string {
  const begin = page.indexOf(`\`\`\`${name}\n`)
  assert.notEqual(begin, -1, `docs/exports.md lacks the block '${name}'`)
  const text = page.slice(page.indexOf('\n', begin) + 1)
  return text.slice(0, text.indexOf('```'))
}

async function insertModel(tx: Transaction): Promise<void> {
  await tx.workflows.insert(DEFAULT_WORKFLOW)
  for (const role of BUILT_IN_ROLES) await tx.roles.insert(role)
  for (const [id, ...segments] of [
    ['language', 'en', 'de'],
    ['market', 'eu', 'us'],
  ] as const)
    await tx.dimensions.insert({ id, name: id, segments: segments.map((segment) => ({ id: segment, name: segment })) })
  const { schemaId } = JSON.parse(block('json record')) as { schemaId: string }
  await tx.schemas.insert(schemaOf(schemaId, JSON.parse(block('json model')) as Parameters<typeof schemaOf>[1]))
}

let renderer: Renderer
const closing: (() => Promise<void>)[] = []
before(async () => {
  const opened = await openExportStore({ after: (work) => closing.push(work) }, insertModel)
  await storeRecords(opened.store, [JSON.parse(block('json record')) as RecordToStore])
  renderer = opened.closeFirst(createRenderer({ location: opened.store.location, onFault: assert.fail }))
})
after(async () => {
  for (const close of closing) await close()
})

async function render(format: (typeof TEXT_FORMATS)[number], dimensionScope: Scope | null) {
  const text = await renderer.preview({ ...everything, format, dimensionScope }, 1, new AbortController().signal)
  return text.replaceAll('\r\n', '\n')
}

describe('docs/exports.md', () => {
  for (const format of TEXT_FORMATS) {
    it(`shows the record in ${format}, scoped`, async () => {
      assert.equal(await render(format, null), block(`${format} scoped`))
    })
    it(`shows the record in ${format}, flat`, async () => {
      assert.equal(await render(format, JSON.parse(block('json scope')) as Scope), block(`${format} flat`))
    })
  }

  it('shows columns and documents that exports take', () => {
    const shown = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(([, text]) => JSON.parse(text!) as Shown)
    const [columns, documents] = [shown.filter((one) => one.columns), shown.filter((one) => one.xml)]
    for (const one of columns) parse(ColumnsInput, one.columns)
    for (const { xml, columns: of } of documents)
      assertXml({ format: 'xml', xml: parse(XmlInput, xml), columns: parse(ColumnsInput, of) })
    assert.deepEqual([columns.length, documents.length], [4, 1])
  })

  it('shows the message of a fault', () => {
    const [, message] = /^  `columns\[3\]\.template (has .*)`$/m.exec(page)!
    assert.equal(findTemplateFault('{name|uper}')!.message, message)
  })

  it('shows a file name', () => {
    const [, template, name] = /`([^`]*)` makes `([^`]*)`/.exec(page)!
    const at = new Date('2026-03-28T00:00:00Z')
    const parts = { at, timezone: 'UTC', jobId: 'j', runId: 'r', format: 'csv', isCompressed: false } as const
    assert.equal(exportFilename(template!, parts), name)
  })
})
