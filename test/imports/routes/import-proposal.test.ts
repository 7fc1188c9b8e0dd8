// A schema made from a file: GET /api/v1/imports/:id/proposal, and an import that brings its model along. Contract 5 §1.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../../helpers/answers.ts'
import { type BulkJobBody, undoJob, untilEnded } from '../../helpers/bulk-jobs.ts'
import type { Client } from '../../helpers/client.ts'
import { makeUser, sessionOf } from '../../helpers/people.ts'
import { startServer, type TestServer } from '../../helpers/server.ts'
import { everywhere, make } from '../../helpers/shirts.ts'
import { workbookParts, zip } from '../../helpers/xlsx-file.ts'

interface Proposal {
  rows: number
  loneCells: { rows: number; samples: string[] }
  decimal: string | null
  schemaId: string
  columns: { header: string; alias: string; kind: string }[]
  mapping: { schemaId: string; model: { schemas: object[]; dimensions: object[] } }
}

let server: TestServer
before(async () => {
  server = await startServer({ maxRecords: 0 })
})
after(() => server.stop())

const HEADER = 'SKU;Name (de);Name (en);Gewicht (kg);Preis in EUR;Jahr;Bio;Marke'
const rowOf = (n: number) =>
  `00${n};Tee ${n};Tea ${n};1,${n % 10}5;${n},90;${1990 + (n % 30)};${n % 2 ? 'ja' : 'nein'};${['Globex', 'Initech'][n % 2]}`
const FILE = [HEADER, ...Array.from({ length: 40 }, (_, n) => rowOf(n)), ''].join('\r\n')

async function uploadOf(
  fileName: string,
  file: string | Buffer = FILE,
  client: Client = server.admin,
  type = 'text/csv',
): Promise<string> {
  const options = {
    method: 'POST',
    headers: { ...client.headers, 'content-type': type },
    body: typeof file === 'string' ? file : new Uint8Array(file),
  }
  const answer = await fetch(`${client.url}/api/v1/imports?fileName=${fileName}`, options)
  return ((await answer.json()) as { id: string }).id
}
async function proposalOf(id: string): Promise<Proposal> {
  const answer = await send<Proposal>(server.admin, 'GET', `/api/v1/imports/${id}/proposal`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
async function map(id: string, mapping: object): Promise<void> {
  const answer = await send(server.admin, 'PUT', `/api/v1/imports/${id}/mapping`, mapping)
  assert.equal(answer.status, 200, answer.text)
}
async function begin(id: string, how = 'run'): Promise<BulkJobBody> {
  const answer = await send<BulkJobBody>(server.admin, 'POST', `/api/v1/imports/${id}/${how}?decimal=,`)
  assert.equal(answer.status, 202, answer.text)
  return untilEnded(server.admin, answer.body.id)
}
const statusOf = async (path: string) => (await send(server.admin, 'GET', path)).status
const countOf = async (schemaId: string) =>
  (await send<{ total: number }>(server.admin, 'GET', `/api/v1/records?schemaId=${schemaId}&limit=1`)).body.total

/** Uploads a file, and maps it as it is proposed. */
async function prepared(fileName: string, file = FILE): Promise<{ id: string; schemaId: string; proposal: Proposal }> {
  const id = await uploadOf(fileName, file)
  const proposal = await proposalOf(id)
  await map(id, proposal.mapping)
  return { id, schemaId: proposal.schemaId, proposal }
}

describe('An import that brings its model along', () => {
  it('counts rows with one filled cell in a table of three columns or more', async () => {
    const lone = async (fileName: string, rows: readonly string[]) => {
      const { loneCells } = await proposalOf(await uploadOf(fileName, `${rows.join('\r\n')}\r\n`))
      return loneCells
    }
    const notes = ['1', '2', '3', '4'].map((at) => `;Note ${at};`)
    assert.deepEqual(await lone('notes.csv', ['A;B;C', 'a;b;', ...notes, 'x;y;z']), {
      rows: 4,
      samples: ['Note 1', 'Note 2', 'Note 3'],
    })
    assert.deepEqual(await lone('narrow.csv', ['A;B', 'a;', ';b', 'x;y']), { rows: 0, samples: [] })
  })

  it('proposes a schema, makes it with the records, and its undo takes both back', async () => {
    const { id, schemaId, proposal } = await prepared('Teas.csv')
    assert.deepEqual([schemaId, proposal.rows, proposal.decimal], ['sch-teas', 40, ','])
    const kinds = proposal.columns.map(({ kind }) => kind)
    assert.deepEqual(kinds, ['text', 'text', 'text', 'measurement', 'price', 'integer', 'boolean', 'select'])
    assert.equal(await statusOf(`/api/v1/schemas/${schemaId}`), 404, 'nothing is made before the run')

    const rehearsal = await begin(id, 'dry-run')
    assert.deepEqual([rehearsal.status, rehearsal.created, rehearsal.failed], ['succeeded', 40, 0])
    assert.equal(await statusOf(`/api/v1/schemas/${schemaId}`), 404, 'a dry run makes nothing')

    const job = await begin(id)
    assert.deepEqual([job.status, job.created, job.failed], ['succeeded', 40, 0])
    const found = await send<{ values: Record<string, object[]> }[]>(server.admin, 'POST', '/api/v1/search', {
      schemaId,
      criteria: [{ attributeAlias: 'sku', operator: 'equals', value: '007' }],
      criteriaOperator: 'and',
    })
    const { values } = found.body[0]!
    assert.deepEqual(values['name'], [
      { scope: { language: 'de' }, value: 'Tee 7' },
      { scope: { language: 'en' }, value: 'Tea 7' },
    ])
    assert.deepEqual(values['gewicht'], everywhere({ amount: 1.75, unit: 'kg' }))
    assert.deepEqual(values['preis'], everywhere({ amount: 7.9, currency: 'EUR' }))
    assert.deepEqual(
      [values['jahr'], values['bio'], values['marke']],
      [everywhere(1997), everywhere(true), everywhere('Initech')],
    )

    const undone = await undoJob(server.admin, job.id)
    assert.deepEqual([undone.status, undone.failed], ['succeeded', 0])
    assert.equal(await statusOf(`/api/v1/schemas/${schemaId}`), 404)
    assert.equal(await statusOf('/api/v1/dimensions/language'), 404)
    const again = await begin(id)
    assert.deepEqual([again.status, again.created], ['succeeded', 40], 'it can be imported again')
    await undoJob(server.admin, again.id)
  })

  it('makes the categories of a column of paths, and its undo takes them back', async () => {
    const path = (n: number) => ['Tea > Green > Sencha', 'tea >  Green', 'Gifts|Tea', ''][n % 4]!
    const rows = Array.from({ length: 20 }, (_, n) => `B-${n};Tea ${n};${path(n)}`)
    const { id, schemaId, proposal } = await prepared('Sorted.csv', ['SKU;Name;Category', ...rows, ''].join('\r\n'))
    assert.deepEqual(
      proposal.columns.map(({ kind }) => kind),
      ['text', 'text', 'categories'],
    )
    const rehearsal = await begin(id, 'dry-run')
    assert.deepEqual([rehearsal.status, rehearsal.created, rehearsal.failed], ['succeeded', 20, 0])
    assert.equal(await statusOf('/api/v1/catalogs/cat-sorted'), 404, 'a dry run makes nothing')

    const job = await begin(id)
    assert.deepEqual([job.status, job.created, job.failed], ['succeeded', 20, 0])
    const tree = await send<{ name: string }[]>(server.admin, 'GET', '/api/v1/catalogs/cat-sorted/categories')
    assert.equal(tree.status, 200, tree.text)
    const names = tree.body.map(({ name }) => name).toSorted()
    assert.deepEqual(names, ['Gifts', 'Green', 'Sencha', 'Tea'])

    const undone = await undoJob(server.admin, job.id)
    assert.deepEqual([undone.status, undone.failed], ['succeeded', 0])
    assert.equal(await statusOf('/api/v1/catalogs/cat-sorted'), 404)
    assert.equal(await statusOf(`/api/v1/schemas/${schemaId}`), 404)
  })

  it('proposes a schema for a workbook, whose cells have types', async () => {
    const rows = [
      ['Code', 'Title', 'Stock', 'Active', 'Rating', 'Colour'],
      ...Array.from({ length: 12 }, (_, n) => [
        `C-${n}`,
        `Thing ${n}`,
        n * 3,
        n % 2 === 0,
        n + 0.5,
        ['red', 'blue'][n % 2]!,
      ]),
    ]
    const book = zip(workbookParts([{ name: 'Things', rows }]))
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const id = await uploadOf('Things.xlsx', book, server.admin, type)
    const proposal = await proposalOf(id)
    assert.deepEqual(
      proposal.columns.map(({ kind }) => kind),
      ['text', 'text', 'integer', 'boolean', 'number', 'select'],
    )
    assert.equal(proposal.decimal, null)
    await map(id, proposal.mapping)
    const answer = await send<BulkJobBody>(server.admin, 'POST', `/api/v1/imports/${id}/run`)
    const job = await untilEnded(server.admin, answer.body.id)
    assert.deepEqual([job.status, job.created, job.failed], ['succeeded', 12, 0])
    await undoJob(server.admin, job.id)
  })

  it('leaves alone what somebody changed or used since', async () => {
    const { id, schemaId } = await prepared('Kept.csv')
    const job = await begin(id)
    const { body: schema } = await send<{ name: string }>(server.admin, 'GET', `/api/v1/schemas/${schemaId}`)
    const renamed = await send(server.admin, 'PUT', `/api/v1/schemas/${schemaId}`, { ...schema, name: 'Mine' })
    assert.equal(renamed.status, 200, renamed.text)
    const undone = await undoJob(server.admin, job.id)
    assert.deepEqual([undone.status, await countOf(schemaId)], ['succeeded', 0])
    assert.equal(await statusOf(`/api/v1/schemas/${schemaId}`), 200)
    assert.equal(await statusOf('/api/v1/dimensions/language'), 200, 'the schema uses the languages')
    assert.equal(await statusOf(`/api/v1/schemas/${schemaId}`), 200)
    await send(server.admin, 'DELETE', `/api/v1/schemas/${schemaId}`)
    await send(server.admin, 'DELETE', '/api/v1/dimensions/language')
  })

  it('adds the languages that a dimension lacks, and takes only these back', async () => {
    await make(server.admin, '/api/v1/dimensions', {
      id: 'language',
      name: 'Language',
      segments: [{ id: 'en', name: 'English' }],
    })
    const { id } = await prepared('Grown.csv')
    const job = await begin(id)
    const segments = async () =>
      (
        await send<{ segments: { id: string }[] }>(server.admin, 'GET', '/api/v1/dimensions/language')
      ).body.segments.map((one) => one.id)
    assert.deepEqual(await segments(), ['en', 'de'])
    await undoJob(server.admin, job.id)
    assert.deepEqual(await segments(), ['en'])
    await send(server.admin, 'DELETE', '/api/v1/dimensions/language')
  })

  it('ends with an error, and without records, if somebody makes a schema of that ID in another way meanwhile', async () => {
    const { id, proposal } = await prepared('Taken.csv')
    await make(server.admin, '/api/v1/dimensions', { id: 'language', name: 'Language', segments: [] })
    await make(server.admin, '/api/v1/schemas', { id: proposal.schemaId, name: 'Other', attributes: [] })
    const answer = await send(server.admin, 'POST', `/api/v1/imports/${id}/run?decimal=,`)
    const status =
      answer.status === 202 ? (await untilEnded(server.admin, (answer.body as BulkJobBody).id)).status : 'refused'
    assert.ok(['failed', 'refused'].includes(status), answer.text)
    assert.equal(await countOf(proposal.schemaId), 0)
    await send(server.admin, 'DELETE', `/api/v1/schemas/${proposal.schemaId}`)
    await send(server.admin, 'DELETE', '/api/v1/dimensions/language')
  })

  it('refuses a model that does not fit, a file without columns, and callers who may not change the model', async () => {
    const { id, proposal } = await prepared('Wrong.csv')
    const { mapping } = proposal
    const strange = { ...mapping, model: { ...mapping.model, dimensions: [] } }
    assertRefused(
      await send(server.admin, 'PUT', `/api/v1/imports/${id}/mapping`, strange),
      'VALIDATION_ERROR',
      "unknown dimension 'language'",
    )
    const none = { ...mapping, model: { ...mapping.model, schemas: [] } }
    assertRefused(
      await send(server.admin, 'PUT', `/api/v1/imports/${id}/mapping`, none),
      'VALIDATION_ERROR',
      'model.schemas must have a schema',
    )
    const lines = await uploadOf(
      'lines.jsonl',
      '{"id":"a","schemaId":"b","values":{}}\n',
      server.admin,
      'application/x-ndjson',
    )
    assertRefused(await send(server.admin, 'GET', `/api/v1/imports/${lines}/proposal`), 'CONFLICT', 'no columns')
    const { username } = await makeUser(server, { roleId: 'role-editor' })
    const editor = await sessionOf(server, username)
    const own = await uploadOf('mine.csv', FILE, editor)
    assertRefused(await send(editor, 'GET', `/api/v1/imports/${own}/proposal`), 'PERMISSION_DENIED')
    assertRefused(
      await send(editor, 'PUT', `/api/v1/imports/${own}/mapping`, mapping),
      'PERMISSION_DENIED',
      'model.write',
    )
  })
})
