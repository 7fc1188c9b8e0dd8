// Effects of a model change on attributes that a role may not read. They follow from the definitions alone: an effect that depended
// on stored values would disclose them. Contract 3 §12.
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import { canonicalJson } from '../../../kernel/text.ts'
import type { Attribute } from './attributes.ts'
import type { EffectKind, HiddenEffect } from './effect-counts.ts'
import type { Model, Schema } from './model.ts'
import { aliasesToClaim, endangeredAliases } from './schema-changes.ts'

interface SchemaInModel {
  readonly schema: Schema
  readonly model: Model
}

export function hiddenEffects(before: SchemaInModel, after: SchemaInModel, role: Role): HiddenEffect[] {
  const schemaId = after.schema.id
  const attributes = [...before.schema.attributes, ...after.schema.attributes]
  const aliases = new Set(attributes.map(({ alias }) => alias).filter((alias) => !canRead(role, schemaId, alias)))
  const claimed = aliasesToClaim(before.schema, after.schema)
  const endangered = endangeredAliases(before.schema, after.schema)
  return [...aliases].flatMap((attributeAlias) => {
    const [was, will] = [before, after].map(({ schema }) => schema.attribute(attributeAlias))
    const mayLose = endangered.includes(attributeAlias) || losesSegments(was, before.model, after.model)
    const may: Readonly<Record<EffectKind, boolean>> = {
      valuesRemoved: will === undefined,
      valuesUnfit: was !== undefined && will !== undefined && (mayLose || !isSame(was.validation, will.validation)),
      nowRequired: will !== undefined && asksMore(was, will),
      guardHides: was !== undefined && will !== undefined && will.guard !== null && !isSame(was.guard, will.guard),
      uniqueViolated: claimed.includes(attributeAlias),
    }
    const kinds = (Object.keys(may) as EffectKind[]).filter((kind) => may[kind])
    return kinds.map((kind): HiddenEffect => ({ schemaId, kind, attributeAlias, hidden: true }))
  })
}

function losesSegments(attribute: Attribute | undefined, before: Model, after: Model): boolean {
  return (attribute?.dimensionIds ?? []).some((id) => {
    const kept = new Set(after.dimensions.get(id)?.segments.map((segment) => segment.id))
    return before.dimensions.get(id)?.segments.some((segment) => !kept.has(segment.id)) === true
  })
}

/** Whether a state may require more combinations of it than before. */
function asksMore(was: Attribute | undefined, will: Attribute): boolean {
  const isNew = will.requiredInStateIds.some((stateId) => was?.requiredInStateIds.includes(stateId) !== true)
  const isWider = !isSame([was?.guard, was?.dimensionIds], [will.guard, will.dimensionIds])
  return isNew || (will.requiredInStateIds.length > 0 && isWider)
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}
