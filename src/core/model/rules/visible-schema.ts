// A schema as far as a role may see its attributes: for those who read records, and not the model. Contract 3 §11.
import { canRead, canReadAll, type Role } from '../../accounts/rules/permissions.ts'
import { showGuards, type ShownAttribute } from './hidden-rules.ts'
import type { SchemaDefinition } from './model.ts'
import type { Presentation } from './presentation.ts'

export type VisibleSchema = Omit<SchemaDefinition, 'attributes'> & { readonly attributes: readonly ShownAttribute[] }

/** Without the attributes that are hidden from the role, wherever they are named, and with placeholders for guards that look at such. */
export function visibleSchema(definition: SchemaDefinition, role: Role): VisibleSchema {
  if (canReadAll(role, definition.id)) return definition
  const { labelAttribute, groups, variantAttributes, ...rest } = showGuards(definition, role)
  const isVisible = (alias: string): boolean => canRead(role, definition.id, alias)
  return {
    ...rest,
    attributes: rest.attributes.filter(({ alias }) => isVisible(alias)),
    ...visiblePresentation({ labelAttribute, groups, variantAttributes }, isVisible),
  }
}

/** A group of hidden attributes alone is hidden, too: its name may tell of them. */
function visiblePresentation(
  { labelAttribute, groups, variantAttributes }: Presentation,
  isVisible: (alias: string) => boolean,
): Presentation {
  const visibleGroups = groups
    ?.map((group) => ({ group, visible: group.attributeAliases.filter(isVisible) }))
    .filter(({ group, visible }) => visible.length > 0 || group.attributeAliases.length === 0)
    .map(({ group, visible }) => ({ ...group, attributeAliases: visible }))
  return {
    ...(labelAttribute !== undefined && isVisible(labelAttribute) ? { labelAttribute } : {}),
    ...(visibleGroups === undefined ? {} : { groups: visibleGroups }),
    ...(variantAttributes === undefined ? {} : { variantAttributes: variantAttributes.filter(isVisible) }),
  }
}
