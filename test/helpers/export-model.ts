// A model with every data type, odd aliases and two schemas that share aliases, for the tests of exports.
import * as v from 'valibot'
import { AttributeInput, defineAttribute } from '../../src/core/model/rules/attributes.ts'
import type { Model, SchemaDefinition } from '../../src/core/model/rules/model.ts'
import { BUILT_IN_ROLES, type Role } from '../../src/core/accounts/rules/permissions.ts'
import { DEFAULT_WORKFLOW } from '../../src/core/model/rules/workflow.ts'
import type { Transaction } from '../../src/store/port.ts'
import { buildModel } from './build-model.ts'

export const AT = '2026-01-02T03:04:05.678Z'

const dimension = (id: string, ...segments: string[]) => ({
  id,
  name: id,
  segments: segments.map((segment) => ({ id: segment, name: segment })),
})

const dimensions = [
  dimension('market', 'us', 'eu'),
  dimension('language', 'en', 'de'),
  dimension('constructor', 'valueOf'),
]

export function schemaOf(id: string, attributes: readonly v.InferInput<typeof AttributeInput>[]): SchemaDefinition {
  return {
    id,
    name: id,
    workflowId: DEFAULT_WORKFLOW.id,
    attributes: attributes.map((attribute) => defineAttribute(v.parse(AttributeInput, attribute))),
    combinations: null,
    createdAt: AT,
    updatedAt: AT,
  }
}

const schemas = [
  schemaOf('sch-all', [
    { alias: 'name', dataType: 'text', dimensionIds: ['language'] },
    { alias: 'description', dataType: 'richText', dimensionIds: ['language', 'market'] },
    { alias: 'link', dataType: 'url' },
    { alias: 'stock', dataType: 'number', dimensionIds: ['market'] },
    { alias: 'active', dataType: 'boolean' },
    { alias: 'released', dataType: 'date' },
    { alias: 'checkedAt', dataType: 'dateTime' },
    { alias: 'color', dataType: 'select', options: [{ id: 'red' }, { id: 'blue' }] },
    { alias: 'tags', dataType: 'multiSelect', options: [{ id: 'a.b' }, { id: 'c_d' }, { id: 'e~f' }] },
    { alias: 'price', dataType: 'price', dimensionIds: ['market'] },
    { alias: 'weight', dataType: 'measurement' },
    { alias: 'related', dataType: 'reference' },
    { alias: 'extra', dataType: 'json' },
    { alias: 'id', dataType: 'text', dimensionIds: ['constructor'] },
    { alias: 'constructor', dataType: 'text' },
  ]),
  schemaOf('sch-other', [
    { alias: 'title', dataType: 'text' },
    { alias: 'weight', dataType: 'price' },
    { alias: 'name', dataType: 'text' },
  ]),
]

/** A role that sees neither prices nor names of the first schema. */
const clerk: Role = {
  id: 'role-clerk',
  name: 'Clerk',
  permissions: ['records.read'],
  defaultAttributePermission: 'read',
  attributePermissions: { 'sch-all': { price: 'none', name: 'none' } },
}
const stranger: Role = { ...clerk, id: 'role-stranger', permissions: ['exportJobs.write'] }
const roles = [...BUILT_IN_ROLES, clerk, stranger]

export const exportModel: Model = buildModel({ dimensions, workflows: [DEFAULT_WORKFLOW], schemas, roles })

export async function insertExportModel(tx: Transaction): Promise<void> {
  await tx.workflows.insert(DEFAULT_WORKFLOW)
  for (const role of roles) await tx.roles.insert(role)
  for (const item of dimensions) await tx.dimensions.insert(item)
  for (const schema of schemas) await tx.schemas.insert(schema)
}
