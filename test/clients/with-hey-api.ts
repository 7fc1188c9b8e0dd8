// A client of @hey-api/openapi-ts at work: every body is as short as README's, and none is cast.
import { baseUrl, done, equal, key } from './checks.js'
import { client } from './pimlet/client.gen.js'
import * as pimlet from './pimlet/index.js'

client.setConfig({ baseUrl, auth: ({ type }) => (type === 'apiKey' ? key : undefined) })

await done(
  pimlet.dimensionsCreate({
    body: { id: 'language', name: 'Language', segments: [{ id: 'en' }, { id: 'de' }] },
  }),
)
const schema = await done(
  pimlet.schemasCreate({
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
await done(pimlet.schemasReplace({ path: { id: schema.id }, body: schema }))
const record = await done(
  pimlet.recordsCreate({
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
await done(pimlet.recordsUpdate({ path, body: record }))
await done(
  pimlet.recordsPatchValues({
    path: { ...path, attr: 'name' },
    body: { scopedValues: [{ scope: { language: 'de' }, value: 'Hemd' }] },
  }),
)
equal((await done(pimlet.recordsList({ query: { limit: 10 } }))).total, 1)

const criteria: pimlet.CriterionInput[] = [{ attributeAlias: 'price', operator: 'lt', value: '50' }]
equal((await done(pimlet.searchCriteria({ body: { criteria: [], criteriaOperator: 'and' } }))).length, 1)
const [found] = await done(pimlet.searchCriteria({ body: { criteria, criteriaOperator: 'and' } }))
equal(found?.id, record.id)
await done(pimlet.searchFullText({ body: { query: 'hemd' } }))
await done(pimlet.searchText({ query: { query: 'hemd' } }))
const saved = await done(pimlet.savedQueriesCreate({ body: { name: 'Cheap', criteria, criteriaOperator: 'and' } }))
equal(saved.schemaId, null)

const moved = await done(pimlet.recordsTransition({ path, body: { transitionId: 'tr-submit' } }))
equal(moved.lifecycleStateId, 'state-review')

const catalog = await done(pimlet.catalogsCreate({ body: { name: 'Web shop' } }))
const category = await done(pimlet.categoriesCreate({ path: { id: catalog.id }, body: { name: 'Shirts' } }))
const assignments = await done(pimlet.recordsAssign({ path, body: [{ categoryId: category.id }] }))
equal(assignments, [{ entityId: record.id, categoryId: category.id, sortOrder: 0 }])

const job = await done(
  pimlet.exportJobsCreate({
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
await done(pimlet.exportJobsReplace({ path: { id: job.id }, body: job }))
await done(pimlet.exportRunsRecord({ path: { id: job.id }, body: { status: 'success' } }))

const role = await done(pimlet.rolesCreate({ body: { name: 'Reader', permissions: ['records.read', 'model.read'] } }))
await done(pimlet.rolesReplace({ path: { id: role.id }, body: role }))
await done(pimlet.usersCreate({ body: { username: 'ines', password: 'correct horse battery', roleId: role.id } }))
const made = await done(pimlet.apiKeysCreate({ body: { name: 'Shop', roleId: role.id } }))
const refused = await pimlet.recordsDelete({ path, auth: ({ type }) => (type === 'apiKey' ? made.key : undefined) })
equal(refused.error?.error, 'PERMISSION_DENIED')

const { user } = await done(pimlet.authLogin({ body: { username: 'ines', password: 'correct horse battery' } }))
equal(user.username, 'ines')
await done(
  pimlet.workflowsCreate({
    body: { name: 'Short', initialStateId: 'open', states: [{ id: 'open', name: 'Open' }], transitions: [] },
  }),
)

// What is wrong does not compile.
// @ts-expect-error schemaId is missing
await pimlet.recordsCreate({ body: { values: {} } })
const wrong = { attributeAlias: 'name', operator: 'like' } as const
// @ts-expect-error there is no such operator
await pimlet.searchCriteria({ body: { criteria: [wrong], criteriaOperator: 'and' } })
