// Templates of product sheets: the content of a sheet, and its order. Contract 5 §4.
import * as v from 'valibot'
import { ScopeInput } from '../../core/search/rules/criterion.ts'
import { assertMayReadNamed } from '../../core/accounts/rules/owner.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { findScopeFault } from '../../core/model/rules/schema.ts'
import { ScopeShape } from '../../core/scopes/scope.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import {
  Alias,
  firstDuplicate,
  Id,
  listOf,
  Name,
  NewId,
  textUpTo,
  Timestamp,
  type OutputOf,
} from '../../kernel/input/validation.ts'
import { DEFAULT_PRESET, PAPERS, PICTURE_SIZES } from './sheet-limits.ts'

/** Templates of one workspace. */
export const MAX_TEMPLATES = 200
const MAX_SECTIONS = 50
const MAX_ATTRIBUTES = 500
const MAX_PICTURE_ATTRIBUTES = 10

/** Language tags, as in names of the model. */
export const LanguageInput = v.pipe(
  v.string('must be a string'),
  v.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/, 'must be a language such as de or pt-BR'),
  v.check((tag) => isLocale(tag), 'must be a language such as de or pt-BR'),
  v.description('The language of labels, numbers and dates.'),
)

export const SheetTemplateInput = exactObject(
  {
    id: v.optional(NewId),
    name: Name,
    schemaId: v.pipe(Id, v.description('The template is for records of this schema.')),
    heading: v.optional(v.pipe(textUpTo(200), v.description('A line above the title.')), ''),
    footer: v.optional(v.pipe(textUpTo(1000), v.description('A text below each record.')), ''),
    sections: v.pipe(
      listOf(
        exactObject({ heading: v.optional(textUpTo(200), ''), attributeAliases: listOf(Alias, MAX_ATTRIBUTES) }),
        MAX_SECTIONS,
      ),
      v.description('The shown attributes, in order. A sheet leaves out attributes without a value.'),
    ),
    pictures: v.optional(
      v.pipe(
        listOf(Alias, MAX_PICTURE_ATTRIBUTES),
        v.description('Attributes whose files are shown as pictures. A reference shows the picture of its record.'),
      ),
      [],
    ),
    preset: v.optional(v.pipe(Id, v.description('The rendition preset of the pictures.')), DEFAULT_PRESET),
    pictureSize: v.optional(v.picklist(PICTURE_SIZES, `must be one of ${PICTURE_SIZES.join(', ')}`), 'medium'),
    paper: v.optional(v.picklist(PAPERS, `must be one of ${PAPERS.join(', ')}`), 'A4'),
    language: v.optional(v.nullable(LanguageInput), null),
    scope: v.optional(ScopeInput, {}),
  },
  ['createdAt', 'updatedAt'],
)
export type SheetTemplateFields = v.InferOutput<typeof SheetTemplateInput>

export const SheetTemplateShape = v.object({
  id: v.string(),
  name: v.string(),
  schemaId: v.string(),
  heading: v.string(),
  footer: v.string(),
  sections: v.array(v.object({ heading: v.string(), attributeAliases: v.array(v.string()) })),
  pictures: v.array(v.string()),
  preset: v.string(),
  pictureSize: v.picklist(PICTURE_SIZES),
  paper: v.picklist(PAPERS),
  language: v.nullable(v.string()),
  scope: ScopeShape,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type SheetTemplate = OutputOf<typeof SheetTemplateShape>

/** @throws VALIDATION_ERROR naming the member, PERMISSION_DENIED for an attribute that is hidden from the role */
export function assertTemplate(fields: Omit<SheetTemplateFields, 'id'>, model: Model, role: Role): void {
  const { schemaId, sections, pictures, scope } = fields
  const schema = model.schemas.get(schemaId)
  if (schema === undefined) throw invalid(`schemaId names the unknown schema '${shorten(schemaId, 128)}'`)
  const shown = sections.flatMap(({ attributeAliases }) => attributeAliases)
  if (shown.length > MAX_ATTRIBUTES) throw invalid(`sections must have at most ${MAX_ATTRIBUTES} attributes`)
  const twice = firstDuplicate(shown)
  if (twice !== undefined) throw invalid(`sections lists '${shorten(twice, 64)}' twice`)
  for (const [index, { attributeAliases }] of sections.entries())
    assertKnown(schema, attributeAliases, `sections[${index}].attributeAliases`)
  assertKnown(schema, pictures, 'pictures')
  const stranger = pictures.find((alias) => !PICTURED.has(schema.attribute(alias)!.dataType))
  if (stranger !== undefined) throw invalid(`pictures names '${stranger}', which is neither a file nor a reference`)
  const fault = findScopeFault(scope, model)
  if (fault !== undefined) throw invalid(`scope ${fault}`)
  assertMayReadNamed(role, [schema], [...shown, ...pictures])
}

const PICTURED: ReadonlySet<string> = new Set(['file', 'reference', 'references'])

function assertKnown(schema: Schema, aliases: readonly string[], field: string): void {
  const unknown = aliases.find((alias) => schema.attribute(alias) === undefined)
  if (unknown !== undefined)
    throw invalid(`${field} names '${shorten(unknown, 64)}', which is not an attribute of the schema`)
}

/** The template after an attribute of a schema got another alias. */
export function renameInTemplate(
  template: SheetTemplate,
  { schemaId, from, to }: { readonly schemaId: string; readonly from: string; readonly to: string },
): SheetTemplate {
  const { sections, pictures } = template
  const isNamed = pictures.includes(from) || sections.some(({ attributeAliases }) => attributeAliases.includes(from))
  if (template.schemaId !== schemaId || !isNamed) return template
  const renamed = (aliases: readonly string[]): string[] => aliases.map((alias) => (alias === from ? to : alias))
  const after = sections.map((section) => ({ ...section, attributeAliases: renamed(section.attributeAliases) }))
  return { ...template, sections: after, pictures: renamed(pictures) }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
