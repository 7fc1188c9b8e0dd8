// A client of openapi-typescript and openapi-fetch at work: every body is as short as README's, and none is cast.
import createClient from 'openapi-fetch'
import { baseUrl, done, equal, key } from './checks.js'
import type { components, paths } from './pimlet.js'

const client = createClient<paths>({ baseUrl, headers: { 'X-Service-ApiKey': key } })

await done(
  client.POST('/api/v1/dimensions', {
    body: { id: 'language', name: 'Language', segments: [{ id: 'en' }, { id: 'de' }] },
  }),
)
const schema = await done(
  client.POST('/api/v1/schemas', {
    body: {
      id: 'sch-shirt',
      name: 'Shirt',
      attributes: [
        { alias: 'name', dataType: 'text', dimensionIds: ['language'], requiredInStateIds: ['state-published'] },
        { alias: 'price', dataType: 'price' },
      ],
    },
  }),
)
await done(client.PUT('/api/v1/schemas/{id}', { params: { path: { id: schema.id } }, body: schema }))
const record = await done(
  client.POST('/api/v1/records', {
    body: {
      id: 'ent-1',
      schemaId: schema.id,
      values: {
        name: [
          { scope: { language: 'en' }, value: 'Cotton shirt' },
          { scope: { language: 'de' }, value: 'Baumwollhemd' },
        ],
        price: [{ scope: {}, value: { amount: 29.9, currency: 'EUR' } }],
      },
    },
  }),
)
const path = { id: record.id }
await done(client.PUT('/api/v1/records/{id}', { params: { path }, body: record }))
await done(
  client.PATCH('/api/v1/records/{id}/values/{attr}', {
    params: { path: { ...path, attr: 'name' } },
    body: { scopedValues: [{ scope: { language: 'de' }, value: 'Hemd' }] },
  }),
)
const { total } = await done(client.GET('/api/v1/records', { params: { query: { limit: 10 } } }))
equal(total, 1)

equal((await done(client.POST('/api/v1/search', { body: { criteria: [], criteriaOperator: 'and' } }))).length, 1)
const criteria: components['schemas']['CriterionInput'][] = [{ attributeAlias: 'price', operator: 'lt', value: '50' }]
const [found] = await done(client.POST('/api/v1/search', { body: { criteria, criteriaOperator: 'and' } }))
equal(found?.id, record.id)
await done(client.POST('/api/v1/search/full-text', { body: { query: 'hemd' } }))
await done(client.GET('/api/v1/search/text', { params: { query: { query: 'hemd' } } }))
const saved = await done(
  client.POST('/api/v1/saved-queries', { body: { name: 'Cheap', criteria, criteriaOperator: 'and' } }),
)
equal(saved.schemaId, null)

const moved = await done(
  client.POST('/api/v1/records/{id}/transition', { params: { path }, body: { transitionId: 'tr-submit' } }),
)
equal(moved.lifecycleStateId, 'state-review')

const catalog = await done(client.POST('/api/v1/catalogs', { body: { name: 'Web shop' } }))
const category = await done(
  client.POST('/api/v1/catalogs/{id}/categories', { params: { path: { id: catalog.id } }, body: { name: 'Shirts' } }),
)
const assignments = await done(
  client.PUT('/api/v1/records/{id}/categories', { params: { path }, body: [{ categoryId: category.id }] }),
)
equal(assignments, [{ entityId: record.id, categoryId: category.id, sortOrder: 0 }])

const job = await done(
  client.POST('/api/v1/export-jobs', {
    body: {
      name: 'Shop',
      destinationType: 'webhook',
      destinationConfig: { url: 'https://shop.example.com/products', signingSecret: 'a secret that both sides know' },
      format: 'csv',
      schedule: '0 2 * * *',
      includeVariants: true,
      compress: true,
      filenameTemplate: 'shirts-{date}.csv',
    },
  }),
)
await done(client.PUT('/api/v1/export-jobs/{id}', { params: { path: { id: job.id } }, body: job }))
await done(
  client.POST('/api/v1/export-jobs/{id}/runs', { params: { path: { id: job.id } }, body: { status: 'success' } }),
)

const role = await done(
  client.POST('/api/v1/roles', { body: { name: 'Reader', permissions: ['records.read', 'model.read'] } }),
)
await done(client.PUT('/api/v1/roles/{id}', { params: { path: { id: role.id } }, body: role }))
await done(
  client.POST('/api/v1/users', { body: { username: 'ines', password: 'correct horse battery', roleId: role.id } }),
)
const made = await done(client.POST('/api/v1/api-keys', { body: { name: 'Shop', roleId: role.id } }))
const reader = createClient<paths>({ baseUrl, headers: { 'X-Service-ApiKey': made.key } })
const refused = await reader.DELETE('/api/v1/records/{id}', { params: { path } })
equal(refused.error?.error, 'PERMISSION_DENIED')

const login = { username: 'ines', password: 'correct horse battery' }
const { user } = await done(createClient<paths>({ baseUrl }).POST('/api/v1/auth/login', { body: login }))
equal(user.username, 'ines')
await done(
  client.POST('/api/v1/workflows', {
    body: { name: 'Short', initialStateId: 'open', states: [{ id: 'open', name: 'Open' }], transitions: [] },
  }),
)

// What is wrong does not compile.
// @ts-expect-error schemaId is missing
await client.POST('/api/v1/records', { body: { values: {} } })
const wrong = { attributeAlias: 'name', operator: 'like' } as const
// @ts-expect-error there is no such operator
await client.POST('/api/v1/search', { body: { criteria: [wrong], criteriaOperator: 'and' } })
