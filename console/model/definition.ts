// A schema as a draft: its attributes in their order, and the number of unsaved changes. Contract 2 §3, 3 §7.
import type { DataTypeName } from '../../src/core/datatypes/data-types.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import type { Endpoints } from '../api/types.ts'
import type { FormDraft } from '../state/form-draft.ts'

export type StoredSchema = Endpoints['GET /api/v1/schemas/:id']['reply']
export type SchemaDraft = Omit<StoredSchema, 'createdAt' | 'updatedAt'>
export type AttributeDraft = StoredSchema['attributes'][number]
export type RuleName = keyof AttributeDraft['validation']

/** The draft of a stored schema; drops members that the server sets. */
export function draftOf(schema: StoredSchema): SchemaDraft {
  const { createdAt: _at, updatedAt: _to, ...draft } = schema
  return draft
}

export function newSchema(workflowId: string): SchemaDraft {
  return { id: '', name: '', workflowId, attributes: [], combinations: null }
}

export function newAttribute(alias: string, dataType: DataTypeName): AttributeDraft {
  return {
    alias,
    name: alias,
    description: '',
    dataType,
    dimensionIds: [],
    unique: false,
    requiredInStateIds: [],
    guard: null,
    validation: {},
    options: [],
    units: [],
    currencies: [],
  }
}

/** The rules that apply to values of a data type. */
export function rulesOf(dataType: DataTypeName): readonly RuleName[] {
  if (dataType === 'text' || dataType === 'richText' || dataType === 'url') return ['minLength', 'maxLength', 'pattern']
  if (dataType === 'number') return ['min', 'max', 'maxDecimals', 'integer']
  if (dataType === 'price' || dataType === 'measurement') return ['min', 'max', 'maxDecimals']
  if (dataType === 'references') return ['schemaId', 'maxCount']
  if (dataType === 'file') return ['mediaTypes', 'maxBytes', 'minPixels', 'maxPixels']
  return dataType === 'multiSelect' ? ['maxItems'] : []
}

/** The number of changed attributes, plus the number of changed members of the schema. */
export function countChanges(stored: SchemaDraft, draft: SchemaDraft): number {
  const before = new Map(stored.attributes.map((attribute) => [attribute.alias, attribute]))
  const after = new Map(draft.attributes.map((attribute) => [attribute.alias, attribute]))
  const aliases = new Set([...before.keys(), ...after.keys()])
  const ofAttributes = [...aliases].filter((alias) => !isSameValue(before.get(alias), after.get(alias))).length
  const { attributes: _before, ...restBefore } = stored
  const { attributes: _after, ...restAfter } = draft
  const members = new Set([...Object.keys(restBefore), ...Object.keys(restAfter)]) as Set<keyof typeof restBefore>
  const others = [...members].filter((member) => !isSameValue(restBefore[member], restAfter[member])).length
  const isReordered = ofAttributes === 0 && [...before.keys()].join(' ') !== [...after.keys()].join(' ')
  return ofAttributes + others + (isReordered ? 1 : 0)
}

/** Removes an attribute, and its mentions: in groups, as the label, among the attributes in which variants differ. */
export function withoutAttribute(draft: SchemaDraft, alias: string): Partial<SchemaDraft> {
  const without = (aliases: readonly string[]) => aliases.filter((one) => one !== alias)
  return {
    attributes: draft.attributes.filter((attribute) => attribute.alias !== alias),
    ...(draft.groups === undefined
      ? {}
      : { groups: draft.groups.map((group) => ({ ...group, attributeAliases: without(group.attributeAliases) })) }),
    ...(draft.variantAttributes === undefined ? {} : { variantAttributes: without(draft.variantAttributes) }),
    ...(draft.labelAttribute === alias ? { labelAttribute: undefined } : {}),
  }
}

/** Moves an item by `by` places; the list stays unchanged if the target is out of range. */
export function moved<Item>(items: readonly Item[], index: number, by: number): readonly Item[] {
  const to = index + by
  if (to < 0 || to >= items.length) return items
  return items.toSpliced(index, 1).toSpliced(to, 0, items[index]!)
}

/** A readable ID from a name: `Grüner Tee` → `gruner-tee`; '' if no character is usable. */
export function idOf(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
}

export interface SchemaPartProps {
  readonly stored: SchemaDraft
  readonly draft: FormDraft<SchemaDraft>
  readonly mayWrite: boolean
}
