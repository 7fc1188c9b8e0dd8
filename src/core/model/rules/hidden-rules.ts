// Rules that name attributes which a role may not read: guards, and stored criteria. Such a rule would reveal values of
// these attributes. So the role can neither write nor read the rule, and does not see its outcome. Contract 3 §9.6.
import type { Attribute, AttributeInput, Guard } from './attributes.ts'
import { askedAliases } from '../../search/rules/asked-aliases.ts'
import type { Criterion } from '../../search/rules/criterion.ts'
import { denied } from '../../../kernel/errors.ts'
import { HIDDEN_RULE, keepRule } from './hidden-rule.ts'
import { canRead, canReadAll, type Role } from '../../accounts/rules/permissions.ts'
import type { SchemaDefinition } from './model.ts'
import type { Presentation } from './presentation.ts'

/** The needed parts of a schema. */
interface RuledSchema {
  readonly id: string
  readonly attributes: readonly Attribute[]
}

export type Shown<Rule> = Rule | typeof HIDDEN_RULE

/** The parts of an attribute that a role may see. */
type ShownAttribute = Omit<Attribute, 'guard'> & { readonly guard: Shown<Guard> | null }

/**
 * Returns a test whether the role may know an attribute's completeness: it reads the attribute, and every attribute
 * that the guard names.
 */
export function mayKnow(role: Role, schemaId: string): (attribute: Attribute) => boolean {
  if (canReadAll(role, schemaId)) return () => true
  return ({ alias, guard }) => canRead(role, schemaId, alias) && findHidden(guard, role, schemaId) === undefined
}

/** Returns the first attribute that the guard names and the role may not read; undefined: none. */
function findHidden(guard: Guard | null, role: Role, schemaId: string): string | undefined {
  return guard?.criteria.find(({ attributeAlias }) => !canRead(role, schemaId, attributeAlias))?.attributeAlias
}

/** Replaces guards that the role may not know by the placeholder. */
export function showGuards<Definition extends RuledSchema>(
  definition: Definition,
  role: Role,
): Omit<Definition, 'attributes'> & { readonly attributes: readonly ShownAttribute[] } {
  if (canReadAll(role, definition.id)) return definition
  const attributes = definition.attributes.map((attribute): ShownAttribute =>
    findHidden(attribute.guard, role, definition.id) === undefined ? attribute : { ...attribute, guard: HIDDEN_RULE },
  )
  return { ...definition, attributes }
}

/** @throws PERMISSION_DENIED for a guard on an attribute that the role may not read; a placeholder is allowed */
export function assertMayGuard(attributes: readonly AttributeInput[], role: Role, schemaId: string): void {
  for (const { alias, guard } of attributes) {
    const hidden = guard === HIDDEN_RULE ? undefined : findHidden(guard, role, schemaId)
    if (hidden !== undefined)
      throw denied(`attribute '${alias}': your role may not ask for the attribute '${hidden}' in a guard`)
  }
}

/**
 * Returns the criteria in their order. A placeholder replaces each criterion on an attribute that is hidden from the
 * role in one of the searched schemas. A group with such a criterion is replaced as a whole.
 */
export function showCriteria(
  criteria: readonly Criterion[],
  schemas: readonly { readonly id: string; attribute(alias: string): Attribute | undefined }[],
  role: Role,
): Shown<Criterion>[] {
  return criteria.map((criterion) => {
    const isHidden = askedAliases([criterion]).some((alias) =>
      schemas.some((schema) => schema.attribute(alias) && !canRead(role, schema.id, alias)),
    )
    return isHidden ? HIDDEN_RULE : criterion
  })
}

interface Selected<Rule> {
  readonly criteria: readonly Rule[]
  readonly schemaId?: string | null | undefined
}

/**
 * Returns the criteria to store: each placeholder becomes the stored criterion at its position.
 * @param at prefix of the criteria's path in messages: '' or `selection.`
 * @throws VALIDATION_ERROR for a placeholder without a stored criterion, or with another schema
 */
export function keepCriteria(
  sent: Selected<Shown<Criterion>>,
  stored: Selected<Criterion> | null | undefined,
  at = '',
): Criterion[] {
  const isSameSchema = (sent.schemaId ?? null) === (stored?.schemaId ?? null)
  return sent.criteria.map((criterion, index) =>
    criterion === HIDDEN_RULE ? keepRule(stored?.criteria[index], `${at}criteria[${index}]`, isSameSchema) : criterion,
  )
}

type VisibleSchema = Omit<SchemaDefinition, 'attributes'> & { readonly attributes: readonly ShownAttribute[] }

/**
 * Returns the schema without attributes that are hidden from the role, and with placeholders for guards that name such
 * attributes.
 */
export function visibleSchema(definition: SchemaDefinition, role: Role): VisibleSchema {
  if (canReadAll(role, definition.id)) return definition
  const { labelAttribute, imageAttribute, groups, variantAttributes, ...rest } = showGuards(definition, role)
  const isVisible = (alias: string): boolean => canRead(role, definition.id, alias)
  return {
    ...rest,
    attributes: rest.attributes.filter(({ alias }) => isVisible(alias)),
    ...visiblePresentation({ labelAttribute, imageAttribute, groups, variantAttributes }, isVisible),
  }
}

/** A group with only hidden attributes is also hidden, because its name may reveal them. */
function visiblePresentation(
  { labelAttribute, imageAttribute, groups, variantAttributes }: Presentation,
  isVisible: (alias: string) => boolean,
): Presentation {
  const visibleGroups = groups
    ?.map((group) => ({ group, visible: group.attributeAliases.filter(isVisible) }))
    .filter(({ group, visible }) => visible.length > 0 || group.attributeAliases.length === 0)
    .map(({ group, visible }) => ({ ...group, attributeAliases: visible }))
  return {
    ...(labelAttribute !== undefined && isVisible(labelAttribute) ? { labelAttribute } : {}),
    ...(imageAttribute !== undefined && isVisible(imageAttribute) ? { imageAttribute } : {}),
    ...(visibleGroups === undefined ? {} : { groups: visibleGroups }),
    ...(variantAttributes === undefined ? {} : { variantAttributes: variantAttributes.filter(isVisible) }),
  }
}
