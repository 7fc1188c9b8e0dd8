// A small model that the tests of records share: shirts with scoped, unique, guarded, referring and oddly named
// attributes, a second schema, and roles that see less than all of it.
import assert from 'node:assert/strict'
import type { Permission } from '../../src/core/accounts/rules/permissions.ts'
import { send } from './answers.ts'
import { type Client, keyClient } from './client.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'

export interface ScopedValueBody {
  scope: Record<string, string>
  value: unknown
}
export type ValuesBody = Record<string, ScopedValueBody[]>

export interface RecordBody {
  id: string
  schemaId: string
  parentId: string | null
  lifecycleStateId: string
  createdAt: string
  updatedAt: string
  createdBy: string
  updatedBy: string
  values: ValuesBody
}

export interface AuditEntryBody {
  id: string
  entityId: string
  userId: string
  timestamp: string
  action: string
  changes: { attributeAlias: string; scope: Record<string, string>; oldValue: unknown; newValue: unknown }[]
  version: number
  origin: { kind: string; id?: string }
}

export interface CompletenessBody {
  entityId: string
  lifecycleStateId: string
  filled: number
  total: number
  percentage: number
  missing: { attributeAlias: string; scope: Record<string, string> }[]
}

export const everywhere = (value: unknown): ScopedValueBody[] => [{ scope: {}, value }]
export const english = (value: unknown): ScopedValueBody => ({ scope: { language: 'en' }, value })
export const german = (value: unknown): ScopedValueBody => ({ scope: { language: 'de' }, value })

const dimensions = [
  { id: 'language', name: 'Language', segments: [{ id: 'en' }, { id: 'de' }] },
  { id: 'market', name: 'Market', segments: [{ id: 'eu' }, { id: 'us' }] },
  { id: 'constructor', name: 'Odd', segments: [{ id: 'toString' }, { id: 'valueOf' }] },
]

const review = ['state-review', 'state-published']
const published = ['state-published']

const schemas = [
  {
    id: 'sch-shirt',
    name: 'Shirt',
    attributes: [
      { alias: 'name', dataType: 'text', dimensionIds: ['language'], requiredInStateIds: review },
      {
        alias: 'description',
        dataType: 'richText',
        dimensionIds: ['language', 'market'],
        requiredInStateIds: published,
      },
      { alias: 'sku', dataType: 'text', unique: true, validation: { maxLength: 20, pattern: '^[A-Z0-9-]*$' } },
      { alias: 'slug', dataType: 'text', unique: true, dimensionIds: ['language'] },
      { alias: 'price', dataType: 'price', dimensionIds: ['market'], requiredInStateIds: published },
      { alias: 'onSale', dataType: 'boolean' },
      {
        alias: 'salePrice',
        dataType: 'price',
        dimensionIds: ['market'],
        requiredInStateIds: published,
        guard: { criteriaOperator: 'and', criteria: [{ attributeAlias: 'onSale', operator: 'equals', value: 'true' }] },
      },
      { alias: 'weight', dataType: 'number', validation: { min: 0 } },
      { alias: 'color', dataType: 'select', options: [{ id: 'red' }, { id: 'blue' }] },
      { alias: 'related', dataType: 'reference' },
      { alias: 'extra', dataType: 'json' },
      { alias: 'constructor', dataType: 'text', dimensionIds: ['constructor'] },
      { alias: 'toString', dataType: 'text' },
      { alias: 'lifecycleState', dataType: 'text' },
    ],
  },
  { id: 'sch-plain', name: 'Plain', attributes: [{ alias: 'title', dataType: 'text' }] },
]

const all = ['records.read', 'records.create', 'records.update', 'records.delete', 'audit.read']

/** `role-clerk` cannot see prices, `constructor` and `lifecycleState`, and cannot write the SKU. */
const roles = [
  {
    id: 'role-clerk',
    name: 'Clerk',
    permissions: all,
    defaultAttributePermission: 'write',
    attributePermissions: {
      'sch-shirt': {
        price: 'none',
        salePrice: 'none',
        description: 'none',
        constructor: 'none',
        lifecycleState: 'none',
        sku: 'read',
      },
    },
  },
  { id: 'role-stranger', name: 'Stranger', permissions: [], defaultAttributePermission: 'write' },
]

export interface Workspace extends TestServer {
  /** A client with permissions `records.*` and hidden attributes. */
  readonly clerk: Client
  /** A client with the built-in role for reading. */
  readonly viewer: Client
  readonly editor: Client
  /** A client without any permission. */
  readonly stranger: Client
  /**
   * Makes a client with exactly these permissions, which may write all attributes unless `attributes` restricts this.
   */
  clientWith(permissions: readonly Permission[], attributes?: object): Promise<Client>
}

/** Starts a server with the model, and a client for each role. */
export async function startWorkspace(options: ServerOptions = {}): Promise<Workspace> {
  const server = await startServer(options)
  try {
    return await fillWorkspace(server)
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Puts the model, and clients with roles, into an empty workspace. */
export async function fillWorkspace(server: TestServer): Promise<Workspace> {
  const { admin } = server
  for (const dimension of dimensions) await make(admin, '/api/v1/dimensions', dimension)
  for (const schema of schemas) await make(admin, '/api/v1/schemas', schema)
  for (const role of roles) await make(admin, '/api/v1/roles', role)
  const [clerk, viewer, editor, stranger] = await Promise.all(
    ['role-clerk', 'role-viewer', 'role-editor', 'role-stranger'].map((roleId) => clientOf(server, roleId)),
  )
  return {
    ...server,
    clerk: clerk!,
    viewer: viewer!,
    editor: editor!,
    stranger: stranger!,
    async clientWith(permissions, attributes = {}) {
      const body = { name: 'Made', permissions, defaultAttributePermission: 'write', ...attributes }
      const role = await make<{ id: string }>(admin, '/api/v1/roles', body)
      return clientOf(server, role.id)
    },
  }
}

/** A client with an API key of the role. */
async function clientOf({ admin, url }: TestServer, roleId: string): Promise<Client> {
  const { key } = await make<{ key: string }>(admin, '/api/v1/api-keys', { name: roleId, roleId })
  return keyClient(url, key)
}

/** Creates a resource, which must succeed. */
export async function make<Body = unknown>(client: Client, path: string, body: unknown): Promise<Body> {
  const answer = await send<Body>(client, 'POST', path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

/** Creates a shirt with the values of `values`. */
export function makeShirt(client: Client, values: ValuesBody, more: object = {}): Promise<RecordBody> {
  return make<RecordBody>(client, '/api/v1/records', { schemaId: 'sch-shirt', values, ...more })
}

export async function readRecord(client: Client, id: string): Promise<RecordBody> {
  const answer = await send<RecordBody>(client, 'GET', `/api/v1/records/${id}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

export async function readAudit(client: Client, id: string): Promise<AuditEntryBody[]> {
  const answer = await send<AuditEntryBody[]>(client, 'GET', `/api/v1/records/${id}/audit?limit=1000`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** Values of a shirt that is complete in every state. */
export const complete: ValuesBody = {
  name: [english('Shirt'), german('Hemd')],
  description: everywhere('Cotton'),
  price: everywhere({ amount: 20, currency: 'EUR' }),
}
