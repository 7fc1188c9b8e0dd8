// Which attributes a sheet shows: those of a template, or all that the role may read. Contract 5 §4.
import { canRead, type Role } from '../../core/accounts/rules/permissions.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Schema, SchemaDefinition } from '../../core/model/rules/model.ts'
import type { SheetTemplate } from './sheet-template.ts'
import type { SheetLanguage } from './sheet-values.ts'

interface Outline {
  readonly heading: string
  readonly footer: string
  readonly sections: readonly { readonly heading: string; readonly attributes: readonly Attribute[] }[]
  readonly pictures: readonly Attribute[]
}

interface Outlined {
  readonly schema: Schema
  readonly groups: SchemaDefinition['groups']
  readonly role: Role
  readonly language: SheetLanguage
}

export function outlineOf(template: SheetTemplate | undefined, outlined: Outlined): Outline {
  const { schema, role } = outlined
  const find = (aliases: readonly string[]): Attribute[] =>
    aliases.flatMap((alias) => {
      const attribute = schema.attribute(alias)
      return attribute !== undefined && canRead(role, schema.id, alias) ? [attribute] : []
    })
  if (template === undefined) return { heading: '', footer: '', ...defaultOutline(outlined, find) }
  const { heading, footer, sections, pictures } = template
  return {
    heading,
    footer,
    sections: sections.map((section) => ({ heading: section.heading, attributes: find(section.attributeAliases) })),
    pictures: find(pictures),
  }
}

/** The groups of the schema, then the attributes in none; the image attribute, or else all files. */
function defaultOutline(
  { schema, groups = [], language }: Outlined,
  find: (aliases: readonly string[]) => Attribute[],
): Pick<Outline, 'sections' | 'pictures'> {
  const all = schema.attributes.map(({ alias }) => alias)
  const files = schema.attributes.filter(({ dataType }) => dataType === 'file').map(({ alias }) => alias)
  const pictures = schema.imageAttribute === undefined ? files : [schema.imageAttribute]
  const grouped = new Set(groups.flatMap(({ attributeAliases }) => attributeAliases))
  const left = all.filter((alias) => !grouped.has(alias))
  // The label is the title.
  const isShown = ({ alias }: Attribute): boolean => !pictures.includes(alias) && alias !== schema.labelAttribute
  const sections = [
    ...groups.map((group) => ({ heading: language.nameOf(group), aliases: group.attributeAliases })),
    { heading: '', aliases: left },
  ]
  return {
    sections: sections.map(({ heading, aliases }) => ({ heading, attributes: find(aliases).filter(isShown) })),
    pictures: find(pictures),
  }
}
