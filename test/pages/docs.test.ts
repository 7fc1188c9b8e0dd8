// What the reference page shows of a document. Its looks are a matter for eyes; its words and its safety are not.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { before, describe, it } from 'node:test'
import { curlLine } from '../../pages/docs/curl.js'
import { type Document, listEndpoints } from '../../pages/docs/document.js'
import { createWordFinder, hasWords } from '../../pages/docs/filter-words.js'
import { createReference } from '../../pages/docs/reference.js'
import { choicesOf, limitWords, typeWords } from '../../pages/docs/words.js'
import { readPages } from '../../src/kernel/executable/assets.ts'
import { makeOpenApi } from '../../src/docs-host/documentation.ts'
import { installPageDocument, PageElement } from '../helpers/page-document.ts'

let document: Document
before(async () => {
  installPageDocument()
  document = JSON.parse(JSON.stringify(await makeOpenApi())) as Document
})

const SITE = { origin: 'http://127.0.0.1:8080', call: () => Promise.reject(new Error('Nothing is sent here')) }

interface Shown {
  readonly page: PageElement
  readonly filter: (text: string) => string[]
  readonly schemas: (text: string) => number
}

/** What is shown of a document. */
function shownFolded(of: Document): Shown {
  const reference = createReference(of, SITE)
  const page = new PageElement('body')
  page.append(...(reference.content as unknown as PageElement[]), ...(reference.navigation as unknown as PageElement[]))
  const filter = (text: string) =>
    (reference.filter(text).shown as unknown as PageElement[]).map((one) => one.attributes.get('id')!)
  return { page, filter, schemas: (text) => reference.filter(text).schemas }
}

/** The same with everything unfolded. */
function shown(of: Document): Shown {
  const reference = shownFolded(of)
  for (const fold of reference.page.all().filter(({ tag }) => tag === 'details')) fold.unfold()
  return reference
}
const endpoint = (id: string) => listEndpoints(document).find(({ operation }) => operation.operationId === id)!
const curl = (id: string) => curlLine(document, endpoint(id), 'http://127.0.0.1:8080')

describe('The reference page', () => {
  it('shows every endpoint with its parameters, statuses, codes and examples, and links to it', () => {
    const { page } = shown(document)
    const links = page.all().map((element) => element.attributes.get('href'))
    for (const { path, operation } of listEndpoints(document)) {
      const { operationId: id, summary, responses } = operation
      const text = page.find(id)!.textContent
      for (const words of [path, summary, 'curl ', ...Object.keys(responses)]) assert.ok(text.includes(words), id)
      assert.equal(links.filter((link) => link === `#${id}`).length, 2, id)
    }
    const update = page.find('records.update')!.textContent
    for (const words of ['If-Match', 'PRECONDITION_FAILED', 'records.update', 'Baumwollhemd', 'required'])
      assert.ok(update.includes(words), words)
  })

  it('shows every named schema, and no link leads nowhere', () => {
    const { page } = shown(document)
    const ids = new Set(page.all().map((element) => element.attributes.get('id')))
    for (const name of Object.keys(document.components.schemas)) assert.ok(ids.has(`schema-${name}`), name)
    for (const element of page.all()) {
      const link = element.attributes.get('href')
      if (link !== undefined) assert.ok(ids.has(link.slice(1)), link)
    }
  })

  it('hides what the filter does not name, groups with nothing left too', () => {
    const { page, filter } = shownFolded(document)
    assert.equal(filter('post  EXPORT create')[0], 'exportJobs.create')
    assert.equal(page.find('exportJobs.create')!.hidden, false)
    assert.equal(page.find('exportJobs.list')!.hidden, true)
    assert.equal(page.find('group-users')!.hidden, true)
    assert.equal(filter('').length, listEndpoints(document).length)
    assert.equal(page.find('group-users')!.hidden, false)
  })

  it('finds what the filter names in paths, descriptions, parameters and fields, of answers too', () => {
    const { page, filter, schemas } = shownFolded(document)
    assert.deepEqual(filter('/records/{id}/completeness'), ['records.completeness'])
    assert.ok(filter('an empty array removes its values').includes('records.update'))
    assert.ok(filter('dropvalues').includes('schemas.replace'))
    assert.deepEqual(filter('percentage').toSorted(), [
      'categories.records',
      'records.completeness',
      'records.get',
      'records.list',
      'records.validate',
      'savedQueries.execute',
      'search.criteria',
      'search.facets',
    ])
    assert.ok(filter('hostKeySha256').includes('exportJobs.create'))
    assert.ok(schemas('percentage') >= 1)
    assert.equal(page.find('schema-Completeness')!.hidden, false)
    assert.equal(page.find('schema-Role')!.hidden, true)
  })

  it('finds nothing where nothing is said so, which the page tells', () => {
    const { page, filter, schemas } = shownFolded(document)
    assert.deepEqual([filter('zzyzx'), schemas('zzyzx')], [[], 0])
    assert.equal(page.find('schemas')!.hidden, true)
    const html = readPages('docs').get('index.html')!
    assert.match(html, /<p id="nothing"[^>]* hidden>\s*Nothing found/)
  })

  it('has the path beside each summary in the list', () => {
    const reference = createReference(document, SITE)
    const list = (reference.navigation as unknown as PageElement[]).flatMap((part) => part.all())
    for (const { path, operation } of listEndpoints(document)) {
      const link = list.find((element) => element.attributes.get('href') === `#${operation.operationId}`)!
      for (const words of [path, operation.summary]) assert.ok(link.textContent.includes(words), words)
    }
  })

  it('shows the fields of what a body is one of', () => {
    const job = shownFolded(document).page.find('exportJobs.create')!
    job.unfold()
    for (const fold of job.all().filter(({ tag }) => tag === 'details')) fold.unfold()
    const text = job.textContent
    for (const words of ['one of', 's3', 'bucket', 'hostKeySha256', 'signingSecret', 'plugin'])
      assert.ok(text.includes(words), words)
  })

  it('shows what is no plain text as text, whatever the document says', () => {
    const evil = '<img src=x onerror=alert(1)>'
    const text = JSON.stringify(document).replaceAll('Read a record', evil).replaceAll('ID of the record.', evil)
    const { page } = shown(JSON.parse(text) as Document)
    assert.ok(page.find('records.get')!.textContent.includes(evil))
    assert.ok(page.all().every(({ tag }) => tag !== 'img' && tag !== 'script'))
  })
})

describe('The curl line', () => {
  it('calls the endpoint with what it needs', () => {
    assert.equal(
      curl('records.get'),
      `curl 'http://127.0.0.1:8080/api/v1/records/ent-01kjpy44e0swvea5egkjkmp3av' \\\n  -H "X-Service-ApiKey: $PIMLET_API_KEY"`,
    )
    assert.equal(curl('health.check'), "curl 'http://127.0.0.1:8080/healthz'")
    assert.match(curl('auth.refresh'), /^curl -X POST .* \\\n {2}-H "Authorization: Bearer \$PIMLET_TOKEN"$/)
    assert.match(curl('search.text'), /text\?query=shirt'/)
    assert.match(curl('records.import'), /-H 'Content-Type: application\/x-ndjson' \\\n {2}--data-binary @FILE$/)
  })

  it('has a body with a line for each member', () => {
    assert.match(curl('dimensions.create'), /-d '\{\n {2}"id": "language",\n {2}"name": "Language",\n/)
  })

  it('is one command to a shell, quotes in the body included', () => {
    const quoted = JSON.parse(JSON.stringify(document).replaceAll('Cotton shirt', "Baker's $(shirt)")) as Document
    const found = listEndpoints(quoted).find(({ operation }) => operation.operationId === 'records.create')!
    const line = curlLine(quoted, found, 'http://127.0.0.1:8080').replace('curl', "printf '%s\\0'")
    const words = execFileSync('sh', ['-c', line], { env: { PIMLET_API_KEY: 'k e y' }, encoding: 'utf8' }).split('\0')
    assert.deepEqual(words.slice(0, 4), ['-X', 'POST', 'http://127.0.0.1:8080/api/v1/records', '-H'])
    assert.equal(words[4], 'X-Service-ApiKey: k e y')
    assert.equal(words[7], '-d')
    assert.match(words[8]!, /"Baker's \$\(shirt\)"/)
    assert.ok(JSON.parse(words[8]!))
  })
})

describe('A schema in words', () => {
  it('is named by what it is', () => {
    const cases: [object, string][] = [
      [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
      [{ $ref: '#/components/schemas/Record' }, 'Record'],
      [{ type: 'array', items: { $ref: '#/components/schemas/Record' } }, 'list of Record'],
      [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
      [{ allOf: [{ $ref: '#/components/schemas/Error' }, { properties: {} }] }, 'Error'],
      [{ type: 'object', additionalProperties: { type: 'string' } }, 'map of string'],
      [{ const: 'Bearer' }, '"Bearer"'],
      [{}, 'anything'],
    ]
    for (const [schema, words] of cases) assert.equal(typeWords(schema), words)
  })

  it('tells its bounds, its default and its choices', () => {
    assert.deepEqual(limitWords({ minimum: 1, maximum: 1000, default: 50 }), ['1 to 1000', 'default 50'])
    assert.deepEqual(limitWords({ minLength: 8 }), ['at least 8 characters'])
    assert.deepEqual(limitWords({ pattern: '\\S', maxItems: 3 }), ['at most 3 items', 'not blank'])
    assert.deepEqual(choicesOf({ type: 'array', items: { enum: ['a', 'b'] } }), ['a', 'b'])
  })

  it('is found by every word of the filter', () => {
    const words = createWordFinder(document).wordsOfEndpoint(endpoint('records.get'))
    assert.equal(hasWords(words, 'get RECORD'), true)
    assert.equal(hasWords(words, 'get password'), false)
  })
})
