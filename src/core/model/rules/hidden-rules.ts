// Rules that look at attributes which a role may not read: guards, and criteria that are kept. Such a rule would reveal
// their values, so the role neither writes nor reads it, and is not shown its outcome. Contract 3 §9.6.
import type { Attribute, AttributeInput, Guard } from './attributes.ts'
import { askedAliases } from '../../search/rules/asked-aliases.ts'
import type { Criterion } from '../../search/rules/criterion.ts'
import { denied } from '../../../kernel/errors.ts'
import { HIDDEN_RULE, keepRule } from './hidden-rule.ts'
import { canRead, canReadAll, type Role } from '../../accounts/rules/permissions.ts'
import type { SchemaDefinition } from './model.ts'
import type { Presentation } from './presentation.ts'

/** The part of a schema that is needed here. */
interface RuledSchema {
  readonly id: string
  readonly attributes: readonly Attribute[]
}

export type Shown<Rule> = Rule | typeof HIDDEN_RULE

/** An attribute as a role sees it. */
type ShownAttribute = Omit<Attribute, 'guard'> & { readonly guard: Shown<Guard> | null }

/**
 * Whether the role may know the attribute's completeness: it reads the attribute, and every attribute that the guard
 * uses.
 */
export function mayKnow(role: Role, schemaId: string): (attribute: Attribute) => boolean {
  if (canReadAll(role, schemaId)) return () => true
  return ({ alias, guard }) => canRead(role, schemaId, alias) && findHidden(guard, role, schemaId) === undefined
}

/** The first attribute that the guard looks at and the role may not read, or undefined. */
function findHidden(guard: Guard | null, role: Role, schemaId: string): string | undefined {
  return guard?.criteria.find(({ attributeAlias }) => !canRead(role, schemaId, attributeAlias))?.attributeAlias
}

/** The attributes with guards that the role may not know of replaced by the placeholder. */
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

/** @throws PERMISSION_DENIED for a guard on an attribute that the role may not read; a placeholder is none */
export function assertMayGuard(attributes: readonly AttributeInput[], role: Role, schemaId: string): void {
  for (const { alias, guard } of attributes) {
    const hidden = guard === HIDDEN_RULE ? undefined : findHidden(guard, role, schemaId)
    if (hidden !== undefined)
      throw denied(`attribute '${alias}': your role may not ask for the attribute '${hidden}' in a guard`)
  }
}

/**
 * The criteria in their places. A placeholder replaces each criterion on an attribute that is hidden from the role in one
 * of the searched schemas. A group with such a criterion is replaced as a whole.
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
 * The criteria to store: each placeholder stands for the stored criterion in its place.
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

/** Without the attributes that are hidden from the role, wherever they are named, and with placeholders for guards that look at such. */
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

/** A group of only hidden attributes is hidden, too: its name may reveal them. */
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
