// The parts of a record in an export, in order: fixed fields, then the attributes of its schema that the
// role may read. Contract 2 §6.
//
// - With a scope (flat) each attribute gives one effective value. The scope is taken for the combination: a value is
//   looked at where all that its own scope names, the export's scope names alike, and the most specific one is in force.
//   So an attribute that is scoped to language and market gives, for `language=de`, its German value for all markets,
//   else its global one, and never the value of a single market.
// - Without one, all scoped values; for a variant what is in force in it, as `effective-values.ts` writes it.
// - `own` values leave out what a variant inherits, flat or not: an import of them makes the same records again.
// - Guards hide nothing here, as they hide nothing in responses and search: they say what completeness counts.
import type { Attribute } from '../model/rules/attributes.ts'
import { effectiveValues } from '../scopes/effective-values.ts'
import type { Model, Schema } from '../model/rules/model.ts'
import { canRead, type Role } from '../accounts/rules/permissions.ts'
import { effectiveValueIn, type RecordHead, scopedValues, type ValueLayers } from '../records/rules/record.ts'
import type { Scope, ScopedValue } from '../scopes/scope.ts'

export const FIXED_FIELDS = ['id', 'schemaId', 'parentId', 'lifecycleStateId', 'createdAt', 'updatedAt'] as const

/** effective: with inherited values of a variant; own: the stored values alone. */
export const VARIANT_VALUES = ['effective', 'own'] as const
export type VariantValues = (typeof VARIANT_VALUES)[number]

export interface ExportedAttribute {
  readonly attribute: Attribute
  /** Flat: one value, whose scope means nothing, or none. */
  readonly values: readonly ScopedValue[]
}

export interface ExportedRecord {
  readonly head: RecordHead
  /** In schema order. Flat: every attribute that the role may read. Otherwise those that have values. */
  readonly attributes: readonly ExportedAttribute[]
}

/** The role that the export is made for, and the model. */
interface ExportView {
  readonly model: Model
  readonly role: Role
  /** null: all scoped values. */
  readonly dimensionScope: Scope | null
  readonly variantValues: VariantValues
}

/** The attributes of the schema that may occur in the export. */
export function exportedAttributes(schema: Schema, role: Role): readonly Attribute[] {
  return schema.attributes.filter((attribute) => canRead(role, schema.id, attribute.alias))
}

type Flatten = (head: RecordHead, layers: ValueLayers) => ExportedRecord

/** Makes a function from a record to its exported parts. */
export function createFlatten({ model, role, dimensionScope, variantValues }: ExportView): Flatten {
  const known = new Map<string, readonly Attribute[]>()
  return (head, { own, inherited }) => {
    const layers = { own, inherited: variantValues === 'own' ? null : inherited }
    const schema = model.schemas.get(head.schemaId)
    if (schema === undefined) return { head, attributes: [] }
    const attributes = known.get(schema.id) ?? exportedAttributes(schema, role)
    known.set(schema.id, attributes)
    const flattened =
      dimensionScope === null
        ? allValues(attributes, layers, model)
        : attributes.map((attribute) => oneValue(attribute, layers, dimensionScope))
    return { head, attributes: flattened }
  }
}

const NO_VALUES: readonly ScopedValue[] = []

function oneValue(attribute: Attribute, layers: ValueLayers, scope: Scope): ExportedAttribute {
  const value = effectiveValueIn(layers, attribute.alias, scope, attribute.dimensionIds)
  return { attribute, values: value === undefined ? NO_VALUES : [value] }
}

function allValues(
  attributes: readonly Attribute[],
  { own, inherited }: ValueLayers,
  model: Model,
): readonly ExportedAttribute[] {
  const exported: ExportedAttribute[] = []
  for (const attribute of attributes) {
    const { alias } = attribute
    const ownValues = scopedValues(own, alias)
    const values =
      inherited === null
        ? ownValues
        : effectiveValues(ownValues, scopedValues(inherited, alias), attribute, model.dimensions)
    if (values.length > 0) exported.push({ attribute, values })
  }
  return exported
}
