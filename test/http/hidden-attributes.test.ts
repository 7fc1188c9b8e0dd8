// What a role may not read it cannot find out either: whatever it asks, the answer is the same for the value that is stored and for
// another one. The role reads and writes everything but one group of attributes. Contract 2 §2, 3 §9.6, 3 §12.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertRefused, send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { everywhere, make, startWorkspace, type Workspace } from '../helpers/shirts.ts'

const SCHEMA = '/api/v1/schemas/sch-h'
const ATTRIBUTES = [
  { alias: 'name', dataType: 'text', unique: true, requiredInStateIds: ['state-review'] },
  { alias: 'secret', dataType: 'text', unique: true, requiredInStateIds: ['state-review'] },
  { alias: 'other', dataType: 'text' },
  { alias: 'amount', dataType: 'number' },
  { alias: 'shade', dataType: 'select', options: [{ id: 'red' }, { id: 'blue' }] },
  { alias: 'lifecycleState', dataType: 'text' },
  { alias: 'scoped', dataType: 'text', dimensionIds: ['language'] },
]
const HIDDEN = ['secret', 'other', 'amount', 'shade', 'lifecycleState', 'scoped']
/** What is stored, and what is not. */
const RIGHT = 'stored value'
const WRONG = 'another value'

let shop: Workspace
/** May do everything, and read all attributes but the hidden ones. */
let clerk: Client
before(async () => {
  shop = await startWorkspace()
  await make(shop.admin, '/api/v1/schemas', { id: 'sch-h', name: 'H', attributes: ATTRIBUTES })
  const values = {
    name: everywhere('n'),
    secret: everywhere(RIGHT),
    other: everywhere(RIGHT),
    amount: everywhere(7),
    shade: everywhere('red'),
    lifecycleState: everywhere(RIGHT),
    scoped: [{ scope: { language: 'de' }, value: RIGHT }],
  }
  await make(shop.admin, '/api/v1/records', { id: 'rec', schemaId: 'sch-h', values })
  await make(shop.admin, '/api/v1/records', { id: 'rec-2', schemaId: 'sch-h', values: { other: everywhere(RIGHT) } })
  clerk = await shop.clientWith(
    [
      'records.read',
      'records.create',
      'records.update',
      'records.delete',
      'audit.read',
      'model.read',
      'model.write',
      'savedQueries.write',
      'exportJobs.read',
      'exportJobs.write',
      'subscriptions.write',
      'categories.write',
    ],
    { attributePermissions: { 'sch-h': Object.fromEntries(HIDDEN.map((alias) => [alias, 'none'])) } },
  )
})
after(() => shop.stop())

async function upload(client: Client, path: string, body: string, type: string) {
  const headers = { ...client.headers, 'content-type': type }
  const answer = await fetch(client.url + path, { method: 'POST', headers, body })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: JSON.parse(text) as { id: string; error?: string },
  }
}

const CSV = 'text/csv'
const NDJSON = 'application/x-ndjson'
const csvOf = (guess: string) => `schemaId,secret,parentId\nsch-h,${guess},${guess}\n`
const linesOf = (guess: string) =>
  `${JSON.stringify({ schemaId: 'sch-h', parentId: guess, values: { secret: everywhere(guess) } })}\n`

describe('matchBy on an attribute that the role may not read', () => {
  const profile = {
    name: 'P',
    schemaId: 'sch-h',
    mode: 'update',
    matchBy: 'secret',
    columns: [{ header: 'secret', to: { attributeAlias: 'secret' } }],
  }
  before(() => make(shop.admin, '/api/v1/import-profiles', { id: 'by-secret', ...profile }))

  for (const [what, query] of [
    ['of the schema', 'schemaId=sch-h&matchBy=secret&mode=update'],
    ['of schemas that lines name', 'matchBy=secret&mode=update'],
    ['for parents alone', 'schemaId=sch-h&matchBy=secret'],
    ['in a dry run', 'schemaId=sch-h&matchBy=secret&mode=upsert&dryRun=true'],
    ["by somebody else's profile", 'profile=by-secret'],
  ] as const)
    it(`is refused for a file that is imported at once, ${what}`, async () => {
      for (const guess of [RIGHT, WRONG])
        for (const [file, type] of [
          [csvOf(guess), CSV],
          [linesOf(guess), NDJSON],
        ] as const)
          assertRefused(
            await upload(clerk, `/api/v1/records/import?${query}`, file, type),
            'PERMISSION_DENIED',
            "'secret'",
          )
    })

  it('is refused for a line of a schema in which it is hidden, where the role reads it in another one', async () => {
    const attributes = [{ alias: 'secret', dataType: 'text', unique: true }]
    await make(shop.admin, '/api/v1/schemas', { id: 'sch-open', name: 'O', attributes })
    const open = linesOf('x').replaceAll('sch-h', 'sch-open').replace('"parentId":"x",', '')
    const ofHidden = (guess: string) =>
      upload(clerk, '/api/v1/records/import?matchBy=secret&mode=upsert', open + linesOf(guess), NDJSON)
    const [right, wrong] = [await ofHidden(RIGHT), await ofHidden(WRONG)]
    const errors = (text: string) => (JSON.parse(text) as { errors: { line: number; error: string }[] }).errors
    assert.deepEqual(
      errors(right.text).map(({ line, error }) => [line, error]),
      [[2, 'PERMISSION_DENIED']],
    )
    assert.deepEqual(errors(wrong.text), errors(right.text))
  })

  it('is refused in profiles, and in the mapping of a file that is kept', async () => {
    assertRefused(await send(clerk, 'POST', '/api/v1/import-profiles', profile), 'PERMISSION_DENIED', "'secret'")
    const open = await make<{ id: string }>(clerk, '/api/v1/import-profiles', { ...profile, matchBy: 'name' })
    assertRefused(
      await send(clerk, 'PUT', `/api/v1/import-profiles/${open.id}`, profile),
      'PERMISSION_DENIED',
      "'secret'",
    )
    const { body } = await upload(clerk, '/api/v1/imports?fileName=a.csv', csvOf(RIGHT), CSV)
    for (const mapping of [
      profile,
      { profileId: 'by-secret' },
      { profileId: open.id, matchBy: 'secret' },
      { columns: null, schemaId: 'sch-h', matchBy: 'secret' },
    ])
      assertRefused(
        await send(clerk, 'PUT', `/api/v1/imports/${body.id}/mapping`, mapping),
        'PERMISSION_DENIED',
        "'secret'",
      )
  })

  it('is judged again when a kept file is run', async () => {
    const rights = ['records.read', 'records.create', 'records.update'] as const
    const reader = await shop.clientWith(rights, { attributePermissions: {} })
    const me = (await send<{ roleId: string }>(reader, 'GET', '/api/v1/me')).body
    const { body } = await upload(reader, '/api/v1/imports?fileName=a.csv', csvOf(RIGHT), CSV)
    const path = `/api/v1/imports/${body.id}`
    assert.equal((await send(reader, 'PUT', `${path}/mapping`, { profileId: 'by-secret' })).status, 200)
    const { body: role } = await send<object>(shop.admin, 'GET', `/api/v1/roles/${me.roleId}`)
    const attributePermissions = { 'sch-h': { secret: 'none' } }
    await send(shop.admin, 'PUT', `/api/v1/roles/${me.roleId}`, { ...role, attributePermissions })
    for (const step of ['dry-run', 'run'])
      assertRefused(await send(reader, 'POST', `${path}/${step}`, {}), 'PERMISSION_DENIED', "'secret'")
  })
})

interface Effect {
  kind: string
  attributeAlias: string
  [field: string]: unknown
}
const changed = (changes: Record<string, object | undefined>) => ({
  name: 'H',
  attributes: ATTRIBUTES.filter(({ alias }) => !(alias in changes) || changes[alias] !== undefined).map(
    (attribute) => ({
      ...attribute,
      ...changes[attribute.alias],
    }),
  ),
})
async function effectsOf(changes: Record<string, object | undefined>, client = clerk): Promise<Effect[]> {
  const answer = await send<{ effects: Effect[] }>(client, 'POST', `${SCHEMA}/preview`, changed(changes))
  assert.equal(answer.status, 200, answer.text)
  return answer.body.effects
}
const hidden = (kind: string, attributeAlias: string) => ({ schemaId: 'sch-h', kind, attributeAlias, hidden: true })

describe('The preview of a change', () => {
  const guard = (value: string) => ({
    criteriaOperator: 'and',
    criteria: [{ attributeAlias: 'name', operator: 'equals', value }],
  })
  for (const [what, one, another, told] of [
    [
      'a pattern',
      { secret: { validation: { pattern: '^s' } } },
      { secret: { validation: { pattern: '^x' } } },
      [hidden('valuesUnfit', 'secret')],
    ],
    [
      'bounds',
      { amount: { validation: { max: 6 } } },
      { amount: { validation: { max: 8 } } },
      [hidden('valuesUnfit', 'amount')],
    ],
    [
      'options',
      { shade: { options: [{ id: 'red' }] } },
      { shade: { options: [{ id: 'blue' }] } },
      [hidden('valuesUnfit', 'shade')],
    ],
    [
      'a rule of an attribute called lifecycleState',
      { lifecycleState: { validation: { maxLength: 1 } } },
      { lifecycleState: { validation: { maxLength: 100 } } },
      [hidden('valuesUnfit', 'lifecycleState')],
    ],
    ['a guard', { other: { guard: guard('n') } }, { other: { guard: guard('m') } }, [hidden('guardHides', 'other')]],
    ['uniqueness', { other: { unique: true } }, { other: { unique: true } }, [hidden('uniqueViolated', 'other')]],
    ['removal', { amount: undefined }, { amount: undefined }, [hidden('valuesRemoved', 'amount')]],
    [
      'a state that requires it',
      { other: { requiredInStateIds: ['state-draft'] } },
      { other: { requiredInStateIds: ['state-draft'] } },
      [hidden('nowRequired', 'other')],
    ],
  ] as const)
    it(`tells of ${what} that the effect is hidden, whatever is stored`, async () => {
      assert.deepEqual(await effectsOf(one), told)
      assert.deepEqual(await effectsOf(another), told)
    })

  it('tells nothing of a hidden attribute to which nothing can happen', async () => {
    assert.deepEqual(
      await effectsOf({ secret: { name: 'S' }, shade: { options: [{ id: 'red' }, { id: 'blue' }, { id: 'green' }] } }),
      [],
    )
  })

  it('counts for the administrator, and what is not hidden', async () => {
    const [effect] = await effectsOf({ amount: { validation: { max: 6 } } }, shop.admin)
    assert.deepEqual([effect!['records'], effect!['examples'], effect!['hidden']], [1, ['rec'], undefined])
    const [own] = await effectsOf({ name: { validation: { pattern: '^x' } } })
    assert.deepEqual([own!['records'], own!['examples']], [1, ['rec']])
  })

  it('of a dimension hides what is scoped by it', async () => {
    const segments = [{ id: 'en' }]
    const answer = await send<{ effects: Effect[] }>(clerk, 'POST', '/api/v1/dimensions/language/preview', {
      name: 'L',
      segments,
    })
    assert.deepEqual(
      answer.body.effects.filter(({ schemaId }) => schemaId === 'sch-h'),
      [hidden('valuesUnfit', 'scoped')],
    )
  })

  it('the change itself names no record and no value of it, and works where it can', async () => {
    const refused = await send<{ message: string }>(
      clerk,
      'PUT',
      SCHEMA,
      changed({ shade: { options: [{ id: 'blue' }] } }),
    )
    assertRefused(refused, 'CONFLICT', "'shade'")
    assert.doesNotMatch(refused.body.message, /'rec'|'red'/)
    const segment = await send<{ message: string }>(clerk, 'PUT', '/api/v1/dimensions/language', {
      name: 'L',
      segments: [{ id: 'en' }],
    })
    assertRefused(segment, 'CONFLICT', "'de'")
    assert.doesNotMatch(segment.body.message, /'rec'/)
    assert.equal(
      (await send(clerk, 'PUT', SCHEMA, changed({ secret: { validation: { maxLength: 100 } } }))).status,
      200,
    )
    assert.equal((await send(shop.admin, 'PUT', SCHEMA, changed({}))).status, 200)
  })
})

const all = { schemaId: 'sch-h', criteria: [], criteriaOperator: 'and' }
const asks = (attributeAlias: string, value: string) => ({
  ...all,
  criteria: [{ attributeAlias, operator: 'equals', value }],
})

/** What a guess is put into: method, path, body. */
const DOORS: Readonly<Record<string, (guess: string) => readonly [method: string, path: string, body?: unknown]>> = {
  'a search': (guess) => ['POST', '/api/v1/search', asks('secret', guess)],
  'a search of all schemas': (guess) => ['POST', '/api/v1/search', { ...asks('secret', guess), schemaId: undefined }],
  'text of a search': (guess) => ['POST', '/api/v1/search', { ...all, text: guess }],
  'full-text': (guess) => ['POST', '/api/v1/search/full-text', { query: guess }],
  suggestions: (guess) => ['GET', `/api/v1/records/suggest?query=${encodeURIComponent(guess)}`],
  'facets of a search': (guess) => [
    'POST',
    '/api/v1/search/facets',
    { ...asks('secret', guess), facets: [{ field: 'schemaId' }] },
  ],
  'places in a search': (guess) => ['POST', '/api/v1/search/places', { ...all, marks: asks('secret', guess).criteria }],
  'an expectation': (guess) => [
    'PATCH',
    '/api/v1/records/rec',
    { values: {}, expect: [{ attributeAlias: 'secret', scope: {}, value: guess }] },
  ],
  'an expectation in a batch': (guess) => [
    'POST',
    '/api/v1/records/batch',
    {
      operations: [
        { op: 'patch', id: 'rec', values: {}, expect: [{ attributeAlias: 'secret', scope: {}, value: guess }] },
      ],
    },
  ],
  'PUT of a record': (guess) => ['PUT', '/api/v1/records/rec', { values: { secret: everywhere(guess) } }],
  'PATCH of a record': (guess) => ['PATCH', '/api/v1/records/rec', { values: { secret: everywhere(guess) } }],
  'PATCH of an attribute': (guess) => [
    'PATCH',
    '/api/v1/records/rec/values/secret',
    { scopedValues: everywhere(guess) },
  ],
  'a new record': (guess) => [
    'POST',
    '/api/v1/records',
    { id: 'new', schemaId: 'sch-h', values: { secret: everywhere(guess) } },
  ],
  'a check': (guess) => [
    'POST',
    '/api/v1/records/validate',
    { schemaId: 'sch-h', values: { secret: everywhere(guess) } },
  ],
  'a check of a record': (guess) => [
    'POST',
    '/api/v1/records/validate',
    { id: 'rec', values: { secret: everywhere(guess), shade: everywhere(guess) } },
  ],
  'a saved query': (guess) => ['POST', '/api/v1/saved-queries', { id: 'q', name: 'Q', ...asks('secret', guess) }],
  'an export': (guess) => ['POST', '/api/v1/records/export', { ...asks('secret', guess), format: 'csv' }],
  'a map of a column': (guess) => [
    'POST',
    '/api/v1/records/export',
    { ...all, format: 'csv', columns: [{ header: 'a', attributeAlias: 'secret', map: { [guess]: 'found' } }] },
  ],
  'the draft of a job': (guess) => [
    'POST',
    '/api/v1/export-jobs/preview',
    {
      name: 'J',
      destinationType: 'webhook',
      destinationConfig: { url: 'https://shop.example/' },
      format: 'csv',
      schedule: '0 0 1 1 *',
      includeVariants: true,
      compress: false,
      filenameTemplate: 'a',
      selection: { criteria: asks('secret', guess).criteria, criteriaOperator: 'and' },
    },
  ],
  'a bulk job': (guess) => [
    'POST',
    '/api/v1/bulk-jobs',
    { selection: { query: asks('secret', guess) }, actions: [{ setValues: { name: everywhere('x') } }] },
  ],
  'a subscription': (guess) => [
    'POST',
    '/api/v1/subscriptions',
    {
      name: 'S',
      url: 'https://shop.example/',
      events: ['record.created'],
      active: false,
      selection: { criteria: asks('secret', guess).criteria, criteriaOperator: 'and' },
    },
  ],
}

/** What tells of a hidden attribute without a guess: refused, or without a trace of it. */
const REFUSED: Readonly<Record<string, readonly [method: string, path: string, body?: unknown]>> = {
  sorting: ['POST', '/api/v1/search', { ...all, sort: [{ attributeAlias: 'secret' }] }],
  'sorting a list': ['GET', '/api/v1/records?sort=secret&schemaId=sch-h'],
  facets: ['POST', '/api/v1/search/facets', { ...all, facets: [{ attributeAlias: 'shade' }] }],
  'what is empty': [
    'POST',
    '/api/v1/search',
    { ...all, criteria: [{ attributeAlias: 'secret', operator: 'isEmpty' }] },
  ],
  'what is missing': [
    'POST',
    '/api/v1/search',
    { ...all, criteria: [{ field: 'missing', operator: 'equals', value: 'secret' }] },
  ],
  'the history of it': ['GET', '/api/v1/records/rec/audit?attributeAlias=secret'],
  'selecting it': ['POST', '/api/v1/search', { ...all, select: ['secret'] }],
}

describe('A hidden attribute', () => {
  const plain = (text: string, guess: string) =>
    text
      .replaceAll(guess, '…')
      .replaceAll(encodeURIComponent(guess), '…')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')

  for (const [door, ask] of Object.entries(DOORS))
    it(`is not found out by ${door}`, async () => {
      const [right, wrong] = await Promise.all(
        [RIGHT, WRONG].map(async (guess) => {
          const [method, path, body] = ask(guess)
          const headers = { ...clerk.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
          const answer = await fetch(clerk.url + path, {
            method,
            headers,
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          })
          return [answer.status, plain(await answer.text(), guess)] as const
        }),
      )
      assert.deepEqual(right, wrong)
      assert.ok(right![0] < 500 && right![0] !== 404, right![1])
    })

  for (const [what, [method, path, body]] of Object.entries(REFUSED))
    it(`is refused for ${what}`, async () => {
      assertRefused(
        await send(clerk, method, path, body),
        'PERMISSION_DENIED',
        path.includes('facets') ? "'shade'" : "'secret'",
      )
    })

  it('is not found out by values that its rules refuse by now, of which the stored one is taken', async () => {
    assert.equal(
      (await send(shop.admin, 'PUT', SCHEMA, changed({ secret: { validation: { maxLength: 1 } } }))).status,
      200,
    )
    for (const door of ['PUT of a record', 'PATCH of a record', 'PATCH of an attribute']) {
      const answers = await Promise.all(
        [RIGHT, WRONG].map(async (guess) => {
          const answer = await send(clerk, ...DOORS[door]!(guess))
          return [answer.status, answer.text]
        }),
      )
      assert.deepEqual(answers[0], answers[1], door)
    }
    const lines = await Promise.all(
      [RIGHT, WRONG].map(async (guess) => {
        const line = `${JSON.stringify({ id: 'rec', values: { secret: everywhere(guess) } })}\n`
        return (await upload(clerk, '/api/v1/records/import?mode=update', line, NDJSON)).text
      }),
    )
    assert.equal(lines[0], lines[1])
    assert.equal((await send(shop.admin, 'PUT', SCHEMA, changed({}))).status, 200)
  })

  it('is in no completeness that the role is told', async () => {
    const search = {
      ...all,
      criteria: [{ field: 'completeness', operator: 'equals', value: 100, stateId: 'state-review' }],
    }
    const ids = async (client: Client) =>
      (await send<{ id: string }[]>(client, 'POST', '/api/v1/search', search)).body.map(({ id }) => id)
    assert.deepEqual(await ids(shop.admin), ['rec'])
    await send(shop.admin, 'PATCH', '/api/v1/records/rec-2', { values: { name: everywhere('m') } })
    assert.deepEqual(await ids(shop.admin), ['rec'])
    assert.deepEqual(await ids(clerk), ['rec', 'rec-2'])
    const missing = { ...all, criteria: [{ field: 'missing', operator: 'isNotEmpty', stateId: 'state-review' }] }
    assert.deepEqual((await send<unknown[]>(clerk, 'POST', '/api/v1/search', missing)).body, [])
  })

  it('is no label, and in no reason why a transition is closed', async () => {
    const labelled = { ...changed({}), labelAttribute: 'secret' }
    assert.equal((await send(shop.admin, 'PUT', SCHEMA, labelled)).status, 200)
    const { text: suggested } = await send(clerk, 'GET', '/api/v1/records/suggest?query=rec&schemaId=sch-h')
    assert.ok(suggested.includes('"rec"') && !suggested.includes(RIGHT), suggested)
    await make(shop.admin, '/api/v1/records', { id: 'empty', schemaId: 'sch-h', values: {} })
    const listed = await send(clerk, 'GET', '/api/v1/records/empty/transitions')
    assert.equal(listed.status, 200)
    assert.doesNotMatch(listed.text, /secret/)
    const closed = await send(clerk, 'POST', '/api/v1/records/empty/transition', { transitionId: 'tr-submit' })
    assert.doesNotMatch(closed.text, /secret/)
    assert.equal((await send(shop.admin, 'PUT', SCHEMA, changed({}))).status, 200)
  })

  it("is not told by another one's export job, which selects by it", async () => {
    const selection = { criteria: asks('secret', RIGHT).criteria, criteriaOperator: 'and' }
    await make(shop.admin, '/api/v1/export-jobs', {
      id: 'by-secret',
      name: 'J',
      destinationType: 'webhook',
      destinationConfig: { url: 'https://shop.example/' },
      format: 'csv',
      schedule: '0 0 1 1 *',
      includeVariants: true,
      compress: false,
      filenameTemplate: 'a',
      active: false,
      selection,
    })
    const told = [
      await send(clerk, 'GET', '/api/v1/export-jobs/by-secret'),
      await send(clerk, 'GET', '/api/v1/records/rec/exports'),
      await send(clerk, 'POST', '/api/v1/export-jobs/by-secret/explain', { entityId: 'rec' }),
      await send(clerk, 'POST', '/api/v1/export-jobs/preview', { id: 'by-secret', selection }),
    ]
    for (const { text } of told) assert.ok(!text.includes(RIGHT), text)
  })
})
