// The parts of a record in an export, in order: fixed fields, then the attributes of its schema that the role may read.
// Contract 2 §6.
//
// - With a scope (flat) each attribute gives one effective value, with the scope taken as the combination. A value counts
//   if the export's scope names the same segments for all dimensions of the value's scope. The most specific such value is
//   in force. For `language=de`, an attribute with language and market gives its German value for all markets, else its
//   global value. It never gives the value of a single market.
// - Without a scope: all scoped values. A variant gives the values in force, as `effective-values.ts` writes them.
// - `own` values leave out inherited values, flat or not, so an import of them makes the same records again.
// - Guards hide nothing here, as in responses and search: guards say only which fields completeness counts.
import type { Attribute } from '../../model/rules/attributes.ts'
import { effectiveValues } from '../../scopes/effective-values.ts'
import type { Model, Schema } from '../../model/rules/model.ts'
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import { effectiveValueIn, type RecordHead, scopedValues, type ValueLayers } from './record.ts'
import type { Scope, ScopedValue } from '../../scopes/scope.ts'

export const FIXED_FIELDS = ['id', 'schemaId', 'parentId', 'lifecycleStateId', 'createdAt', 'updatedAt'] as const

/** effective: with inherited values of a variant; own: the stored values alone. */
export const VARIANT_VALUES = ['effective', 'own'] as const
export type VariantValues = (typeof VARIANT_VALUES)[number]

export interface ExportedAttribute {
  readonly attribute: Attribute
  /** Flat: at most one value, whose scope has no meaning. */
  readonly values: readonly ScopedValue[]
}

export interface ExportedRecord {
  readonly head: RecordHead
  /**
   * The attributes in schema order. Flat: every attribute that the role may read. Otherwise: the attributes that have
   * values.
   */
  readonly attributes: readonly ExportedAttribute[]
}

/** The role for which the export is made, and the model. */
interface ExportView {
  readonly model: Model
  readonly role: Role
  /** null: all scoped values. */
  readonly dimensionScope: Scope | null
  readonly variantValues: VariantValues
}

/** Returns the attributes of the schema that may occur in the export. */
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
