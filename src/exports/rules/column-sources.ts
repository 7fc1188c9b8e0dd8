// The sources of columns: the record, the records that it refers to, its parent and its categories, as far as the role may read them.
import { unitOf } from '../../core/datatypes/data-type.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { canRead, type Role } from '../../core/accounts/rules/permissions.ts'
import type { FileValue } from '../../core/datatypes/file.ts'
import type { RecordHead, ValueLayers, Values } from '../../core/records/rules/record.ts'
import type { Scope } from '../../core/scopes/scope.ts'
import { own } from '../../kernel/own.ts'
import { ORIGINAL } from '../../files/rules/presets.ts'
import type { PathsOf } from './category-paths.ts'

/** The values of a record, and those of its parent, whether it inherits them or not. */
export interface RowLayers extends ValueLayers {
  /** null: none, or no column names it. */
  readonly parent: Values | null
}

/** A record with values: the record of a row, or a record that it refers to. */
export interface Holder {
  readonly schema: Schema | undefined
  readonly layers: ValueLayers
}

/** The data from which the columns of a row are made. */
export interface Row extends Holder {
  readonly head: RecordHead
  readonly layers: RowLayers
  readonly categoryIds: readonly string[]
}

/** The public address of a file in the form of a preset; undefined: none. `holder`: the record whose value names the file. */
export type AddressOf = (file: FileValue, presetId: string, holder: Holder) => string | undefined

/** The context in which rows are made. */
export interface RowView {
  readonly model: Model
  readonly role: Role
  /** The scope of columns without their own. */
  readonly dimensionScope: Scope | null
  /** Paths in the catalogs that columns name. */
  readonly pathsOf: PathsOf
  /** Records that rows refer to; they were looked up before. */
  readonly linkedOf: (recordId: string) => Holder | undefined
  readonly addressOf: AddressOf
  /** Pieces of templates that are of no record, by name. */
  readonly pieces?: ReadonlyMap<string, () => string | number> | undefined
}

/** Finds the attribute of a record's schema, where the role may read it. */
export function attributeFinder(alias: string, role: Role): (schema: Schema | undefined) => Attribute | undefined {
  let last: Schema | undefined
  let found: Attribute | undefined
  return (schema) => {
    if (schema !== last) {
      last = schema
      found = schema !== undefined && canRead(role, schema.id, alias) ? schema.attribute(alias) : undefined
    }
    return found
  }
}

/** Members of the value of a file, and its public address. */
const FILE_PARTS: ReadonlySet<string> = new Set(['fileName', 'sha256', 'mediaType', 'size', 'width', 'height', 'url'])

export const PARTS = [
  'amount',
  'unit',
  'currency',
  'fileName',
  'sha256',
  'mediaType',
  'size',
  'width',
  'height',
  'url',
] as const

export function hasPart(attribute: Attribute, part: string): boolean {
  const { unitField, files } = dataTypeOf(attribute)
  if (files !== undefined) return FILE_PARTS.has(part)
  return unitField !== undefined && (part === 'amount' || part === unitField)
}

/** A part of a value and, for an address, its preset. */
interface PartAsked {
  readonly part: string
  /** Default: the file as it is. */
  readonly preset?: string | undefined
}

/** Undefined: the attribute has no such part, or the file no address. `holder`: the record that has the value. */
export function partOf(
  value: unknown,
  attribute: Attribute,
  { part, preset = ORIGINAL }: PartAsked,
  holder: Holder,
  { addressOf }: RowView,
): string | number | undefined {
  // In another schema the attribute may have another type, without this part.
  if (!hasPart(attribute, part)) return undefined
  if (part === 'url') return addressOf(value as FileValue, preset, holder)
  // A file that is no picture has no pixels.
  if (FILE_PARTS.has(part)) return own(value as Record<string, string | number | null>, part) ?? ''
  return part === 'amount' ? (value as { amount: number }).amount : unitOf(value, dataTypeOf(attribute).unitField!)
}
