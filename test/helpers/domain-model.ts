// Small models for tests of rules: client input, defined as the services do.
import { type Attribute, AttributeInput, defineAttribute } from '../../src/core/model/rules/attributes.ts'
import type { Dimension } from '../../src/core/model/rules/dimension.ts'
import type { Model, Schema } from '../../src/core/model/rules/model.ts'
import { BUILT_IN_ROLES, type Role } from '../../src/core/accounts/rules/permissions.ts'
import type { Values } from '../../src/core/records/rules/record.ts'
import type { RowLayers } from '../../src/exports/rules/column-sources.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { parse } from '../../src/kernel/input/parse.ts'
import { DEFAULT_WORKFLOW } from '../../src/core/model/rules/workflow.ts'
import { buildModel } from './build-model.ts'

export function dimension(id: string, ...segmentIds: string[]): Dimension {
  return { id, name: id, segments: segmentIds.map((segmentId) => ({ id: segmentId, name: segmentId })) }
}

export const LANGUAGE = dimension('language', 'en', 'de', 'fr')
export const MARKET = dimension('market', 'eu', 'us')

/** Returns a text attribute, modified by `input`. */
export function attribute(alias: string, input: Record<string, unknown> = {}): Attribute {
  return defineAttribute(parse(AttributeInput, { dataType: 'text', ...input, alias }))
}

export interface ModelOfOne {
  readonly model: Model
  readonly schema: Schema
}

/** A model with one schema, `sch`. */
export function modelOf(
  attributes: readonly Attribute[],
  {
    dimensions = [LANGUAGE, MARKET],
    combinations = null,
  }: { dimensions?: Dimension[]; combinations?: Scope[] | null } = {},
): ModelOfOne {
  const identity = { id: 'sch', name: 'Schema', createdAt: '', updatedAt: '' }
  const model = buildModel({
    dimensions,
    workflows: [DEFAULT_WORKFLOW],
    schemas: [{ ...identity, workflowId: DEFAULT_WORKFLOW.id, attributes, combinations }],
    roles: BUILT_IN_ROLES,
  })
  return { model, schema: model.schemas.get('sch')! }
}

export function layers(own: Values, inherited: Values | null = null): RowLayers {
  return { own, inherited, parent: inherited }
}

/** Returns a role without permissions, modified by `parts`. */
export function role(parts: Partial<Role> = {}): Role {
  const nothing = { permissions: [], defaultAttributePermission: 'none', attributePermissions: {} } as const
  return { id: 'role-test', name: 'Test', ...nothing, ...parts }
}
