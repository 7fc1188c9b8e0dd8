// A small workspace for journeys through records: two languages and markets, states with a gate, a translator and a
// viewer.
import { ADMIN_PASSWORD, type TestServer } from '../../helpers/server.ts'
import { make } from '../../helpers/shirts.ts'

export const TRANSLATOR = { username: 'tom', password: ADMIN_PASSWORD }
export const VIEWER = { username: 'vera', password: ADMIN_PASSWORD }
export const DE_EU = 'scope=language:de,market:eu'

const segments = (...names: string[]) => names.map((name) => ({ id: name.slice(0, 2).toLowerCase(), name }))
const REQUIRED = ['published']

const ATTRIBUTES = [
  {
    alias: 'sku',
    name: 'Article number',
    dataType: 'text',
    unique: true,
    validation: { pattern: '^[A-Z]{2}-[0-9]+$' },
  },
  {
    alias: 'name',
    name: 'Name',
    dataType: 'text',
    dimensionIds: ['language'],
    requiredInStateIds: REQUIRED,
    validation: { maxLength: 60 },
  },
  {
    alias: 'description',
    name: 'Description',
    dataType: 'richText',
    dimensionIds: ['language'],
    requiredInStateIds: REQUIRED,
  },
  {
    alias: 'price',
    name: 'Price',
    dataType: 'price',
    dimensionIds: ['market'],
    currencies: ['EUR', 'USD'],
    requiredInStateIds: REQUIRED,
  },
  {
    alias: 'kind',
    name: 'Kind',
    dataType: 'select',
    options: [
      { id: 'green', name: 'Green tea' },
      { id: 'black', name: 'Black tea' },
    ],
  },
  { alias: 'organic', name: 'Organic', dataType: 'boolean' },
  {
    alias: 'certificate',
    name: 'Certificate',
    dataType: 'text',
    requiredInStateIds: REQUIRED,
    guard: { criteriaOperator: 'and', criteria: [{ attributeAlias: 'organic', operator: 'equals', value: 'true' }] },
  },
  { alias: 'weight', name: 'Weight', dataType: 'measurement', units: ['g'] },
]

const WORKFLOW = {
  id: 'wf',
  name: 'To the shop',
  initialStateId: 'draft',
  states: [
    { id: 'draft', name: 'Draft' },
    { id: 'published', name: 'Published' },
  ],
  transitions: [
    {
      id: 'publish',
      fromStateId: 'draft',
      toStateId: 'published',
      name: 'Publish',
      allowedRoleIds: ['role-admin', 'role-editor'],
      requiresCompleteness: true,
    },
  ],
}

export async function makeTeas({ admin }: TestServer): Promise<void> {
  await make(admin, '/api/v1/dimensions', {
    id: 'language',
    name: 'Language',
    segments: segments('English', 'Deutsch'),
  })
  await make(admin, '/api/v1/dimensions', { id: 'market', name: 'Market', segments: segments('Europe', 'US') })
  await make(admin, '/api/v1/workflows', WORKFLOW)
  await make(admin, '/api/v1/schemas', {
    id: 'tea',
    name: 'Tea',
    workflowId: 'wf',
    labelAttribute: 'name',
    variantAttributes: ['sku', 'weight', 'price'],
    groups: [{ id: 'texts', name: 'Texts', attributeAliases: ['name', 'description'] }],
    attributes: ATTRIBUTES,
  })
  const permissions = ['records.read', 'records.update', 'model.read', 'audit.read']
  await make(admin, '/api/v1/roles', {
    id: 'role-translator',
    name: 'Translator',
    permissions,
    defaultAttributePermission: 'read',
    attributePermissions: { tea: { name: 'write', description: 'write', price: 'none' } },
  })
  await make(admin, '/api/v1/users', { ...TRANSLATOR, name: 'Tom', roleId: 'role-translator' })
  await make(admin, '/api/v1/users', { ...VIEWER, name: 'Vera', roleId: 'role-viewer' })
}

export interface Tea {
  readonly id: string
  readonly name?: string
  readonly description?: string
  readonly values?: object
  readonly parentId?: string
}

/** Each record has English texts. */
export async function makeTea(
  { admin }: TestServer,
  { id, name, description, values = {}, parentId }: Tea,
): Promise<void> {
  const english = (text: string | undefined) => (text === undefined ? [] : [{ scope: { language: 'en' }, value: text }])
  await make(admin, '/api/v1/records', {
    id,
    schemaId: 'tea',
    ...(parentId === undefined ? {} : { parentId }),
    values: { name: english(name), description: english(description), ...values },
  })
}
