// Reads the content of one record's sheet, as a role may see it. Contract 5 §4.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { canRead, type Role } from '../core/accounts/rules/permissions.ts'
import { dataTypeOf } from '../core/datatypes/data-types.ts'
import type { FileValue } from '../core/datatypes/file.ts'
import type { Attribute } from '../core/model/rules/attributes.ts'
import type { Model, Schema } from '../core/model/rules/model.ts'
import { effectiveValueIn, parseValues, type ValueLayers } from '../core/records/rules/record.ts'
import { firstImageOf } from '../core/records/rules/record-image.ts'
import { labelValues } from '../core/records/rules/record-label.ts'
import { effectiveValue, restrictScope, type Scope } from '../core/scopes/scope.ts'
import type { Reads } from '../store/port.ts'
import type { StoredRecord } from '../store/record-port.ts'
import { outlineOf } from './rules/sheet-outline.ts'
import type { SheetArticle, SheetRow, SheetSection } from './rules/sheet-page.ts'
import type { SheetTemplate } from './rules/sheet-template.ts'
import { markupOf, type SheetLanguage, textOf } from './rules/sheet-values.ts'

/** Characters of JSON of a record's values: reading more would make other requests wait. */
const MAX_VALUES = 500_000
const TOO_LARGE = 'This record has too many values for a sheet.'
/** Characters of texts that are written before others get a turn. */
const TURN = 40_000
/** Records of one sheet that are looked up for their labels; further ones are shown by their IDs. */
const MAX_NAMED = 200
const AT_ONCE = 10
/** Pictures of one record. */
const MAX_PICTURES = 12

export interface Sight {
  readonly role: Role
  readonly language: SheetLanguage
  readonly scope: Scope
  readonly template: SheetTemplate | undefined
}

export interface SheetPicture {
  /** The record whose value names the file. */
  readonly recordId: string
  readonly sha256: string
  readonly fileName: string
}

export interface ReadSheet {
  readonly article: SheetArticle
  readonly pictures: readonly SheetPicture[]
}

type SheetReads = Pick<Reads, 'model' | 'records' | 'schemas'>

/** Undefined: the record does not exist, or the template is for another schema, whose aliases mean something else. */
export async function readSheet(reads: SheetReads, id: string, sight: Sight): Promise<ReadSheet | undefined> {
  const record = await reads.records.get(id)
  const model = await reads.model()
  const schema = record && model.schemas.get(record.schemaId)
  if (record === undefined || schema === undefined) return undefined
  if (sight.template !== undefined && sight.template.schemaId !== schema.id) return undefined
  const layers = await layersOf(reads, record)
  await nextTurn()
  if (layers === undefined)
    return { article: { heading: '', title: id, subtitle: TOO_LARGE, footer: '', sections: [] }, pictures: [] }
  const { groups, ...named } = (await reads.schemas.get(schema.id))!
  const outline = outlineOf(sight.template, { schema, groups, ...sight })
  const values = new ValuesInSight(layers, schema, model, sight)
  const shown = outline.sections.flatMap(({ attributes }) => attributes)
  const linked = await readLinked(reads, values.named([...shown, ...outline.pictures]))
  const labels = (linkedId: string): string => labelIn(linked.get(linkedId), model, sight) ?? linkedId
  const sections: SheetSection[] = []
  for (const { heading, attributes } of outline.sections)
    sections.push({ heading, rows: await rowsOf(attributes, values, sight.language, labels) })
  const title = values.label() ?? id
  // A customer reads the sheet, and an ID is a name for programs.
  const subtitle = sight.language.nameOf(named)
  const { heading, footer } = outline
  const imageIn = (linkedId: string) => imageOf(linked.get(linkedId), model, sight)
  const pictures = outline.pictures.flatMap((attribute) => picturesOf(attribute, id, values, imageIn))
  return { article: { heading, title, subtitle, footer, sections }, pictures: pictures.slice(0, MAX_PICTURES) }
}

async function rowsOf(
  attributes: readonly Attribute[],
  values: ValuesInSight,
  language: SheetLanguage,
  labelOf: (recordId: string) => string,
): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  let size = 0
  for (const attribute of attributes) {
    const value = values.of(attribute)
    if (value === undefined || dataTypeOf(attribute).isEmpty(value)) continue
    const text = textOf(attribute, value, language, labelOf)
    rows.push({ label: language.nameOf(attribute), text, markup: markupOf(attribute, value) })
    size += text.length
    if (size < TURN) continue
    await nextTurn()
    size = 0
  }
  return rows
}

/** Undefined: the record or its parent is too large. */
async function layersOf(reads: SheetReads, record: StoredRecord): Promise<ValueLayers | undefined> {
  const parent = record.parentId === null ? undefined : await reads.records.get(record.parentId)
  const size = record.valuesJson.length + (parent?.valuesJson.length ?? 0)
  if (size > MAX_VALUES) return undefined
  const own = parseValues(record)
  if (parent !== undefined) await nextTurn()
  return { own, inherited: parent === undefined ? null : parseValues(parent) }
}

interface Linked {
  readonly record: StoredRecord
  readonly layers: ValueLayers
}

/** The records that values name, without those that are too large. */
async function readLinked(reads: SheetReads, ids: readonly string[]): Promise<ReadonlyMap<string, Linked>> {
  const asked = [...new Set(ids)].slice(0, MAX_NAMED)
  const found = new Map<string, Linked>()
  for (let at = 0; at < asked.length; at += AT_ONCE)
    for (const [id, record] of await reads.records.getMany(asked.slice(at, at + AT_ONCE))) {
      const layers = await layersOf(reads, record)
      if (layers !== undefined) found.set(id, { record, layers })
      await nextTurn()
    }
  return found
}

function labelIn(linked: Linked | undefined, model: Model, sight: Sight): string | undefined {
  const schema = linked && model.schemas.get(linked.record.schemaId)
  return schema && new ValuesInSight(linked.layers, schema, model, sight).label()
}

/** The values of one record in the scope of a sheet. */
class ValuesInSight {
  readonly layers: ValueLayers
  readonly schema: Schema
  readonly role: Role
  readonly #scope: Scope
  readonly #dimensionIds: readonly string[]

  constructor(layers: ValueLayers, schema: Schema, model: Model, { role, scope }: Sight) {
    this.layers = layers
    this.schema = schema
    this.role = role
    this.#scope = scope
    this.#dimensionIds = [...model.dimensions.keys()]
  }

  of({ alias, dimensionIds }: Attribute): unknown {
    const scope = restrictScope(this.#scope, dimensionIds)
    return effectiveValueIn(this.layers, alias, scope, this.#dimensionIds)?.value
  }

  /** In the scope of the sheet, or else in any. */
  label(): string | undefined {
    const { schema, role } = this
    const texts = schema.attributes.filter(
      (attribute) => dataTypeOf(attribute).isText && canRead(role, schema.id, attribute.alias),
    )
    const filled = labelValues(texts, this.layers, schema.labelAttribute)
    const found = effectiveValue(filled, this.#scope, this.#dimensionIds) ?? filled[0]
    return found && String(found.value).slice(0, 500)
  }

  /** The IDs of the records that values of the attributes name. */
  named(attributes: readonly Attribute[]): string[] {
    return attributes.flatMap((attribute) => {
      const { records } = dataTypeOf(attribute)
      const value = records && this.of(attribute)
      return value === undefined ? [] : records!.named(value)
    })
  }
}

/** The files that values name, or the pictures of the records that they name. */
function picturesOf(
  attribute: Attribute,
  recordId: string,
  values: ValuesInSight,
  pictureOf: (recordId: string) => SheetPicture | undefined,
): SheetPicture[] {
  const value = values.of(attribute)
  if (value === undefined) return []
  const { files, records } = dataTypeOf(attribute)
  if (files === undefined) return (records?.named(value) ?? []).flatMap((id) => pictureOf(id) ?? [])
  return [toPicture(recordId, value as FileValue)]
}

/** The picture that stands for a linked record. */
function imageOf(linked: Linked | undefined, model: Model, { role }: Sight): SheetPicture | undefined {
  const schema = linked && model.schemas.get(linked.record.schemaId)
  const first = schema && firstImageOf(linked.layers, schema, role)
  return first !== undefined && 'file' in first ? toPicture(linked!.record.id, first.file) : undefined
}

function toPicture(recordId: string, { sha256, fileName }: FileValue): SheetPicture {
  return { recordId, sha256, fileName }
}
