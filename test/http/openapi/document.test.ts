// The OpenAPI document says what the table of routes says, no less and no more, and its examples are right. Contract 2 §8.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as v from 'valibot'
import { builtInDestinations } from '../../../plugins/index.ts'
import { XLSX_TYPE } from '../../../src/imports/rules/media-types.ts'
import { makeOpenApi } from '../../../src/docs-host/documentation.ts'
import { ERROR_CODES } from '../../../src/kernel/errors.ts'
import { apiRoutes, jobRoutes, withoutPrefix } from '../../../src/app/api.ts'
import { errorsOf, STATUS_OF_ERROR } from '../../../src/http/answers/error-replies.ts'
import { DESTINATION_EXAMPLES } from '../../../src/exports/routes/export-examples.ts'
import { destinationComponentName } from '../../../src/exports/routes/destination-components.ts'
import type { OpenApiDocument, Parameter } from '../../../src/http/openapi/document-model.ts'
import type { Route } from '../../../src/http/route.ts'
import { system } from '../../../src/kernel/machine/system.ts'
import { send } from '../../helpers/answers.ts'
import {
  contentsOf,
  createChecker,
  examplesOf,
  follow,
  operation,
  operationsOf,
  responseOf,
} from '../../helpers/openapi.ts'
import { ADMIN_PASSWORD, startServer } from '../../helpers/server.ts'

let document: OpenApiDocument
before(async () => {
  document = await makeOpenApi()
})

const mounts = apiRoutes.map((route) => ({ route, id: route.id, path: route.path }))
const template = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}')
const isJson = (type: string) => type === 'application/json'

describe('The OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>)
    assert.equal(valid, true, JSON.stringify(errors))
    assert.equal(validator.version, '3.1')
  })

  it('has every route of the table once, and nothing else', () => {
    assert.deepEqual(
      operationsOf(document)
        .map(({ name, operation: { operationId } }) => `${name} ${operationId}`)
        .sort(),
      mounts.map(({ route, id, path }) => `${route.method} ${template(path)} ${id}`).sort(),
    )
  })

  it('gives every operation an id of its own, a summary and a known group', () => {
    const operations = operationsOf(document).map((described) => described.operation)
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
    const groups = new Set(document.tags.map(({ name }) => name))
    for (const { operationId, summary, tags } of operations) {
      assert.ok(summary.length > 3 && summary.length <= 120, `${operationId}: ${summary}`)
      assert.ok(tags.length === 1 && groups.has(tags[0]!), `${operationId} is in the unknown group ${tags.join()}`)
    }
    for (const { name } of document.tags)
      assert.ok(
        operations.some(({ tags }) => tags[0] === name),
        `${name} is empty`,
      )
  })

  it('says of what answers at two paths where else, and of nothing else', () => {
    for (const { route, id } of mounts) {
      const { description = '' } = operation(document, id)
      const other = jobRoutes.includes(route) ? template(withoutPrefix(route.path)) : undefined
      assert.equal(/Answers at `([^`]+)` as well/.exec(description)?.[1], other, id)
    }
    assert.match(String(document.info['description']), /`\/export-jobs` is `\/api\/v1\/export-jobs`/)
  })

  it('has no reference that leads nowhere', () => {
    const refs = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? []
    assert.ok(refs.length > 300)
    for (const ref of new Set(refs)) follow(document, JSON.parse(`{${ref}}`))
  })

  it('is the same whenever it is made', async () => {
    assert.equal(JSON.stringify(await makeOpenApi()), JSON.stringify(document))
  })

  it('asks for one of both credentials, the API key first, but where a route is public', () => {
    assert.deepEqual(document.security, [{ serviceApiKey: [] }, { bearer: [] }])
    assert.deepEqual(Object.keys(document.components.securitySchemes), ['serviceApiKey', 'bearer'])
    for (const { route, id } of mounts) {
      const { security, description = '' } = operation(document, id)
      if (route.access !== 'public') assert.equal(security, undefined, id)
      else assert.deepEqual(security, ['auth.refresh', 'auth.logout'].includes(id) ? [{ bearer: [] }] : [], id)
      const needsPermission = route.access !== 'public' && route.access !== 'authenticated'
      if (needsPermission) assert.ok(description.includes(`permission \`${route.access}\``), id)
    }
  })
})

describe('Of every operation, the document', () => {
  it('lists the parameters of its path and query, and the conditions that it minds', () => {
    for (const { route, id } of mounts) {
      const { parameters = [] } = operation(document, id)
      const said = parameters.map((part) => follow<Parameter>(document, part)).map((one) => `${one.in} ${one.name}`)
      const path = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => `path ${name}`)
      const query = Object.keys(route.query?.entries ?? {}).map((name) => `query ${name}`)
      const isConditional = route.errors.includes('PRECONDITION_FAILED') && route.hasOwnConditions !== true
      const isCached = route.method === 'GET' && route.headers?.includes('ETag') === true
      const header = isConditional ? ['header If-Match'] : isCached ? ['header If-None-Match'] : []
      const key = route.method === 'POST' && route.access !== 'public' ? ['header Idempotency-Key'] : []
      assert.deepEqual(said, [...path, ...query, ...header, ...key], id)
    }
    const required = operation(document, 'search.text').parameters?.map((one) => (one as Parameter).required)
    assert.deepEqual(required, [true, false, false, false])
  })

  it('lists every status that it answers, with its headers', () => {
    for (const { route, id } of mounts) {
      const { responses } = operation(document, id)
      const errors = [...errorsOf(route)].map((code) => String(STATUS_OF_ERROR[code]))
      const cached = route.method === 'GET' && route.headers?.includes('ETag') === true ? ['304'] : []
      const expected = new Set([...Object.keys(route.responses), ...errors, ...cached])
      assert.deepEqual(Object.keys(responses).sort(), [...expected].sort(), id)
      for (const status of Object.keys(responses)) {
        const { headers } = responseOf(document, operation(document, id), status)
        const replayed = route.method === 'POST' && route.access !== 'public' ? ['Idempotency-Replayed'] : []
        const declared = status.startsWith('2') ? [...(route.headers ?? []), ...replayed] : []
        for (const name of ['X-Request-Id', ...declared]) assert.ok(name in headers, `${id} ${status} lacks ${name}`)
      }
    }
  })

  it('lists every code that it can fail with, each with an example, and no other', () => {
    for (const { route, id } of mounts) {
      const codes = errorsOf(route)
      for (const code of ERROR_CODES) {
        const found = codesOf(id, STATUS_OF_ERROR[code])
        assert.equal(found.enum.includes(code), codes.has(code), `${id} ${code}`)
        assert.equal(found.examples.includes(code), codes.has(code), `${id} ${code}, its example`)
      }
    }
    const limited = responseOf(document, operation(document, 'auth.login'), 429)
    assert.deepEqual(Object.keys(limited.headers), ['X-Request-Id', 'Retry-After', 'X-RateLimit-Remaining'])
  })

  it('has its body and answers in JSON as named schemas, with an example', () => {
    for (const { where, type, media } of contentsOf(document)) {
      if (isJson(type))
        assert.deepEqual(
          Object.keys(media.schema),
          ['$ref'],
          `${where} is nameless: list its shape in src/http/openapi/components/`,
        )
      const isOfPage = /^GET \/(docs|console)/.test(where)
      if (!isOfPage) assert.ok(examplesOf(media).length > 0, `${where} ${type} has no example`)
    }
  })

  it('says of every parameter of its path what it is, with an example', () => {
    for (const { id } of mounts)
      for (const part of operation(document, id).parameters ?? []) {
        const { in: place, name, description, schema } = follow<Parameter>(document, part)
        if (place !== 'path') continue
        const hint = `${id} ${name}: src/http/openapi/operations.ts does not know it`
        assert.match(description ?? '', /^(ID of the|Alias|Name) \S/, hint)
        assert.equal(schema.examples?.length, 1, hint)
      }
  })

  it('tells what is not JSON by its media type', () => {
    const { requestBody } = operation(document, 'records.import')
    assert.deepEqual(Object.keys(requestBody?.content ?? {}), ['application/x-ndjson', 'text/csv', XLSX_TYPE])
    const preview = responseOf(document, operation(document, 'exportRuns.preview'), 200)
    assert.deepEqual(Object.keys(preview.content ?? {}).sort(), [
      'application/json',
      'application/x-ndjson',
      'application/xml',
      'text/csv; charset=utf-8',
    ])
    assert.equal(responseOf(document, operation(document, 'records.delete'), 204).content, undefined)
  })

  /** The codes that the schema of a status admits, and those of its examples. */
  function codesOf(id: string, status: number): { enum: readonly string[]; examples: readonly string[] } {
    const { responses } = operation(document, id)
    if (!(status in responses)) return { enum: [], examples: [] }
    const media = responseOf(document, operation(document, id), status).content?.['application/json']
    const errors = examplesOf(media!).filter((value) => Object.hasOwn(value as object, 'error'))
    const listed = /"enum":(\[[A-Z_",]+\])/.exec(JSON.stringify(unfold(media?.schema)))?.[1] ?? '[]'
    return {
      enum: JSON.parse(listed) as string[],
      examples: errors.map((value) => (value as { error: string }).error),
    }
  }
})

/** A schema with what it names, and what that names, in its place. */
function unfold(schema: object | undefined): object | undefined {
  const target = follow<{ anyOf?: object[] }>(document, schema)
  return target.anyOf === undefined ? target : { ...target, anyOf: target.anyOf.map(unfold) }
}

describe('The examples of the document', () => {
  it('fit their schemas', () => {
    const check = createChecker(document)
    for (const { where, type, media } of contentsOf(document))
      for (const example of examplesOf(media)) assert.equal(check(media.schema, example), undefined, `${where} ${type}`)
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const { examples = [] } = schema as { examples?: unknown[] }
      assert.equal(examples.length, 1, `${name} has an example`)
      assert.equal(check({ $ref: `#/components/schemas/${name}` }, examples[0]), undefined, name)
    }
  })

  it('pass the checks of the routes themselves', () => {
    const bodies = apiRoutes.filter(({ body }) => body !== undefined)
    assert.ok(bodies.length > 25)
    for (const { id, body } of bodies)
      for (const example of examplesOf(operation(document, id).requestBody!.content['application/json']!))
        assert.ok(v.is(body!, example), id)
    for (const { id, status, schema } of apiRoutes.flatMap(jsonResponsesOf))
      for (const example of examplesOf(
        responseOf(document, operation(document, id), status).content!['application/json']!,
      ))
        assert.ok(v.is(schema, example) || Object.hasOwn(example, 'error'), `${id} ${status}`)
  })

  it('have settings of every built-in destination, which it takes', async () => {
    for (const { type, config } of builtInDestinations) {
      const example = DESTINATION_EXAMPLES[type]
      const schema = document.components.schemas[destinationComponentName(type)]
      assert.ok(example !== undefined && schema !== undefined, type)
      assert.equal(createChecker(document)(schema, example), undefined, type)
      assert.equal((await config['~standard'].validate(example)).issues, undefined, type)
    }
    const { examples } = operation(document, 'exportJobs.create').requestBody!.content['application/json']!
    assert.deepEqual(
      Object.keys(examples!),
      builtInDestinations.map(({ type }) => type),
    )
  })

  it('have IDs as the service makes them', () => {
    const generated = /^(?:aud|ent|job|key|run|sq|usr)-/
    const asMade = /^[a-z]+-[0-9a-hjkmnp-tv-z]{26}$/
    assert.match(system.newId('aud'), asMade)
    let count = 0
    JSON.stringify(document, (_key, value: unknown) => {
      if (typeof value === 'string' && generated.test(value)) {
        assert.match(value, asMade, 'take an ID from src/http/openapi/example-ids.ts')
        count += 1
      }
      return value
    })
    assert.ok(count > 100)
  })

  it('have a cursor, a key and a token as the service makes them', async () => {
    const { schemas } = document.components
    const example = (name: string) => (schemas[name] as { examples: Record<string, string>[] }).examples[0]!
    const server = await startServer()
    try {
      const made = await send<{ key: string }>(server.admin, 'POST', '/api/v1/api-keys', {
        name: 'K',
        roleId: 'role-admin',
      })
      const password = { username: 'admin', password: ADMIN_PASSWORD }
      const session = await send<{ accessToken: string }>(server.anonymous, 'POST', '/api/v1/auth/login', password)
      assert.equal(example('NewApiKey')['key']!.replaceAll(/[\w-]/g, 'x'), made.body.key.replaceAll(/[\w-]/g, 'x'))
      const decode = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as object
      assert.deepEqual(
        Object.keys(decode(example('Session')['accessToken']!)),
        Object.keys(decode(session.body.accessToken)),
      )
      const path = `/api/v1/changes?after=${example('ChangePage')['cursor']!}`
      assert.equal((await send(server.admin, 'GET', path)).status, 200)
    } finally {
      await server.stop()
    }
  })

  function jsonResponsesOf({ id, responses, mediaTypes }: Route) {
    if (mediaTypes !== undefined) return []
    return Object.entries(responses).flatMap(([status, schema]) => (schema === null ? [] : [{ id, status, schema }]))
  }
})

describe('The schemas of the document', () => {
  it('refuse what the server refuses', () => {
    const check = createChecker(document)
    const wrong: [string, unknown][] = [
      ['DimensionInput', { name: ' ', segments: [] }],
      ['UserInput', { username: 'has space', roleId: 'role-admin', password: 'long enough' }],
      ['SchemaInput', { name: 'S', attributes: [{ alias: '1st', dataType: 'text' }] }],
      ['SchemaInput', { name: 'S', combinations: [{ language: 1 }] }],
      ['RoleInput', { name: 'R', permissions: [], attributePermissions: { sch: { name: 'own' } } }],
      ['NewRecord', { schemaId: 'sch', values: { name: [{ value: 'no scope' }] } }],
      ['NewRecord', { schemaId: 'sch' }],
      ['ScopedValuesUpdate', { scopedValues: {} }],
      ['Search', { criteria: [], criteriaOperator: 'and', schemaid: 'sch' }],
      ['CriterionInput', { attributeAlias: 'name', operator: 'isEmpty', scop: {} }],
      ['RoleInput', { name: 'R', permissions: [], permisions: [] }],
      ['S3Config', { bucket: 'files', region: 'r', secretAccesKey: 's' }],
      ['Search', { criteria: [{ attributeAlias: 'name', operator: 'like' }], criteriaOperator: 'and' }],
      ['ExportRunEntry', { status: 'success', startedAt: 'yesterday' }],
      ['SftpConfig', { host: 'a b', username: 'u' }],
      ['Error', { error: 'OOPS', message: '' }],
    ]
    for (const [name, value] of wrong)
      assert.ok(
        check({ $ref: `#/components/schemas/${name}` }, value) !== undefined,
        `${name} ${JSON.stringify(value)}`,
      )
  })

  it('say of every field of an input what it is', () => {
    const inputs = apiRoutes.flatMap(({ id }) => operation(document, id).requestBody?.content['application/json'] ?? [])
    const seen = new Set<object>()
    for (const { schema } of inputs) walk(schema, 'body')
    assert.ok(seen.size > 100)

    function walk(schema: object, where: string): void {
      if (seen.has(schema)) return
      seen.add(schema)
      const target = follow<Record<string, unknown>>(document, schema)
      if (target !== schema) return walk(target, `${where} → ${(schema as { $ref: string }).$ref.split('/').at(-1)}`)
      const says = ['type', 'enum', 'const', 'anyOf', 'description'].some((keyword) => keyword in target)
      assert.ok(says, `${where} is anything at all`)
      for (const [key, field] of Object.entries((target['properties'] ?? {}) as Record<string, object>))
        walk(field, `${where}.${key}`)
      const choices = [target['anyOf'], target['oneOf']].flatMap((list) => (list as object[] | undefined) ?? [])
      for (const part of [target['items'], target['additionalProperties'], ...choices])
        if (typeof part === 'object' && part !== null) walk(part, where)
    }
  })

  it('say a default of a member in words alone, since generators of clients would ask for the member', () => {
    const { schemas } = document.components
    JSON.stringify(schemas, (key, value: unknown) => {
      const isMember = typeof value === 'object' && value !== null && ('type' in value || '$ref' in value)
      assert.ok(key === 'examples' || !isMember || !('default' in value), `${key} ${JSON.stringify(value)}`)
      return key === 'examples' ? undefined : value
    })
    const { properties } = schemas['ExportJobInput'] as { properties: Record<string, { description: string }> }
    assert.equal(properties['maxAttempts']!.description, 'Default: `5`.')
    assert.equal(properties['schemaId']!.description, 'null: records of every schema. Default: `null`.')
  })

  it('ask for the settings of the destination that is named', () => {
    const check = createChecker(document)
    const [example] = (document.components.schemas['ExportJobInput'] as { examples: Record<string, unknown>[] })
      .examples
    const fits = (destinationType: string, destinationConfig: object) =>
      check({ $ref: '#/components/schemas/ExportJobInput' }, { ...example, destinationType, destinationConfig }) ===
      undefined
    assert.ok(fits('webhook', { url: 'https://example.com/feed' }))
    assert.ok(fits('of-a-plugin', { anything: 1 }))
    assert.ok(!fits('webhook', { bucket: 'feeds', region: 'eu-central-1' }))
    assert.ok(!fits('s3', {}))
  })

  it('mark secrets, and list the destinations as what settings may be', () => {
    const { schemas } = document.components
    assert.match(JSON.stringify(schemas['S3Config']), /"secretAccessKey":\{[^}]*"format":"password"/)
    assert.match(JSON.stringify(schemas['WebhookConfig']), /"additionalProperties":\{[^}]*"format":"password"/)
    const job = JSON.stringify(schemas['ExportJobInput'])
    for (const { type } of builtInDestinations)
      assert.ok(job.includes(`"#/components/schemas/${destinationComponentName(type)}"`), type)
  })
})
