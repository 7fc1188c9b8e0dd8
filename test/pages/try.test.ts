// Sending a request from the reference page: what is sent for what was filled in, and what is shown of the answer.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Document, listEndpoints } from '../../pages/docs/document.js'
import { call, draftRequest, MAX_READ, parametersOf, prettyText, sizeWords } from '../../pages/docs/request.js'
import { answerView, effectOf, outcomeWords, tryView } from '../../pages/docs/try-view.js'
import { makeOpenApi } from '../../src/docs-host/documentation.ts'
import { installPageDocument, PageElement } from '../helpers/page-document.ts'
import { startServer, type TestServer } from '../helpers/server.ts'

let document: Document
before(async () => {
  installPageDocument()
  document = JSON.parse(JSON.stringify(await makeOpenApi())) as Document
})

const endpoint = (id: string) => listEndpoints(document).find(({ operation }) => operation.operationId === id)!
const draft = (id: string, values: Record<string, string>) =>
  draftRequest(endpoint(id), parametersOf(document, endpoint(id)), (name) => values[name] ?? '')
const unused = () => Promise.reject(new Error('Nothing is sent here'))
const viewOf = (id: string) => tryView(document, endpoint(id), unused) as unknown as PageElement
const textOf = (parts: readonly unknown[]) => {
  const all = new PageElement('div')
  all.append(...(parts as PageElement[]))
  return all.textContent
}

describe('The request that the page sends', () => {
  it('has what was filled in, each in its place', () => {
    assert.deepEqual(
      draft('records.patchValues', {
        'path id': 'a/b ?',
        'path attr': 'name',
        'header If-Match': '"7"',
        body: '{"scopedValues":[]}',
        type: 'application/json',
      }),
      {
        method: 'PATCH',
        path: '/api/v1/records/a%2Fb%20%3F/values/name',
        headers: { 'If-Match': '"7"', 'Content-Type': 'application/json' },
        body: '{"scopedValues":[]}',
      },
    )
    assert.deepEqual(draft('records.list', { 'query limit': '5', 'query schemaId': 'a&b', type: 'application/json' }), {
      method: 'GET',
      path: '/api/v1/records?limit=5&schemaId=a%26b',
      headers: {},
    })
  })

  it('has a field for each parameter and for the body, filled with examples where one is needed', () => {
    for (const { operation } of listEndpoints(document)) {
      const id = operation.operationId
      const names = viewOf(id)
        .all()
        .flatMap((element) => element.attributes.get('name') ?? [])
      const parameters = parametersOf(document, endpoint(id)).map((one) => `${one.in} ${one.name}`)
      assert.deepEqual(names, [...parameters, ...(operation.requestBody === undefined ? [] : ['type', 'body'])], id)
    }
    const fields = viewOf('dimensions.replace').all()
    const byName = (name: string) => fields.find((element) => element.attributes.get('name') === name)!
    assert.equal(byName('path id').attributes.get('value'), 'language')
    assert.deepEqual(JSON.parse(byName('body').textContent), {
      id: 'language',
      name: 'Language',
      segments: [
        { id: 'en', name: 'English' },
        { id: 'de', name: 'German' },
      ],
    })
  })

  it('is marked by what it may do, deletes most clearly', () => {
    const effects = (...ids: string[]) => ids.map((id) => effectOf(endpoint(id)).kind)
    assert.deepEqual(effects('records.list', 'search.criteria', 'exportRuns.preview'), ['reads', 'reads', 'reads'])
    assert.deepEqual(effects('records.create', 'exportRuns.trigger', 'roles.replace'), [
      'changes',
      'changes',
      'changes',
    ])
    assert.deepEqual(effects('records.delete', 'users.delete'), ['deletes', 'deletes'])
    assert.match(viewOf('records.delete').textContent, /Send DELETE.*Deletes at once, without asking again\./)
  })
})

describe('The answer that the page shows', () => {
  let server: TestServer
  const realFetch = globalThis.fetch
  before(async () => {
    server = await startServer()
    // As in a browser, where paths are those of the page's own server.
    globalThis.fetch = (path, init) => realFetch(server.url + (path as string), init)
  })
  after(async () => {
    globalThis.fetch = realFetch
    await server.stop()
  })
  const send = (id: string, values: Record<string, string>) =>
    call(draft(id, values), server.admin.headers, AbortSignal.timeout(30_000))

  it('has status, time, headers and a body with a line for each member', async () => {
    const answer = await send('workflows.get', { 'path id': 'wf-default' })
    assert.equal(answer.status, 200)
    assert.match(textOf(outcomeWords(answer)), /^200 OK in \d+(\.\d)? ms, (\d+ B|\d\.\d kB)$/)
    const shown = textOf(answerView(draft('workflows.get', { 'path id': 'wf-default' }), answer))
    for (const words of ['GET /api/v1/workflows/wf-default', 'x-request-id: req-', '{\n  "id": "wf-default",\n'])
      assert.ok(shown.toLowerCase().includes(words.toLowerCase()), words)
  })

  it('is the refusal, where it is one, and says that there is no body, where there is none', async () => {
    const missing = await send('records.get', { 'path id': 'nothing' })
    assert.match(textOf(outcomeWords(missing)), /^404 Not Found/)
    const body = '{ "id": "season", "name": "Season", "segments": [] }'
    assert.equal((await send('dimensions.create', { body, type: 'application/json' })).status, 201)
    const gone = await send('dimensions.delete', { 'path id': 'season' })
    assert.equal(gone.status, 204)
    assert.match(textOf(answerView(draft('dimensions.delete', { 'path id': 'season' }), gone)), /Bodyempty$/)
  })

  it('ends where it is too long to be shown, and says so', async () => {
    const asked = globalThis.fetch
    try {
      globalThis.fetch = async () => new Response('x'.repeat(3 * MAX_READ))
      const answer = await call({ method: 'GET', path: '/', headers: {} }, {}, AbortSignal.timeout(30_000))
      assert.equal(answer.isCut, true)
      assert.match(textOf(outcomeWords(answer)), /the first \d\.\d MB$/)
      assert.match(textOf(answerView({ method: 'GET', path: '/', headers: {} }, answer)), /cut off here/)
    } finally {
      globalThis.fetch = asked
    }
  })

  it('is shown as it is where it is no JSON', () => {
    assert.equal(prettyText('{"a":1}', 'application/json'), '{\n  "a": 1\n}')
    assert.equal(prettyText('{"a":', 'application/json'), '{"a":')
    assert.equal(prettyText('{"a":1}\n', 'application/x-ndjson'), '{"a":1}\n')
    assert.deepEqual([sizeWords(999), sizeWords(1234), sizeWords(2_500_000)], ['999 B', '1.2 kB', '2.5 MB'])
  })
})
