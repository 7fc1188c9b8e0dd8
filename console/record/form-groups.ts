// The groups of a schema in a form; attributes without a group come last. Pure.
import type { AttributeAccess } from '../../src/core/accounts/rules/permissions.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Named } from '../../src/core/model/rules/names.ts'
import type { SeenSchema } from '../state/model.ts'

export interface FormGroup {
  readonly id: string
  /** Undefined: attributes of no group. */
  readonly group: Named | undefined
  readonly attributes: readonly Attribute[]
}

/** Returns the groups. Attributes that the role may not read are left out; an attribute of two groups is in the first. */
export function formGroups(
  { attributes, groups = [] }: Pick<SeenSchema, 'attributes' | 'groups'>,
  access: (alias: string) => AttributeAccess,
): FormGroup[] {
  const left = new Map(attributes.filter(({ alias }) => access(alias) !== 'none').map((one) => [one.alias, one]))
  const made: FormGroup[] = groups.map((group) => {
    const own = group.attributeAliases.flatMap((alias) => left.get(alias) ?? [])
    for (const { alias } of own) left.delete(alias)
    return { id: `group-${group.id}`, group, attributes: own }
  })
  return [...made, { id: 'others', group: undefined, attributes: [...left.values()] }].filter(
    (group) => group.attributes.length > 0,
  )
}
