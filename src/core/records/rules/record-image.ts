// The picture of a record: the first picture of its image attribute. Contract 4 §2.
import * as v from 'valibot'
import type { OutputOf } from '../../../kernel/input/validation.ts'
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import type { FileValue } from '../../datatypes/file.ts'
import type { Schema } from '../../model/rules/model.ts'
import { scopedValues, type ValueLayers } from './record.ts'

export const RecordImageShape = v.object({
  recordId: v.pipe(v.string(), v.description('The record whose value has the file.')),
  sha256: v.string(),
  thumbhash: v.nullable(v.string()),
  url: v.pipe(v.string(), v.description('The path of the preset `thumb`.')),
})

/** The picture in the form for clients. */
export type RecordImage = OutputOf<typeof RecordImageShape>

/** The file itself, or the record that contains the picture. */
type FirstImage = { readonly file: FileValue } | { readonly recordId: string }

/** Returns the first value of the image attribute, own values before inherited ones; undefined: the role may read none. */
export function firstImageOf(layers: ValueLayers, schema: Schema, role: Role): FirstImage | undefined {
  const attribute = schema.imageAttribute === undefined ? undefined : schema.attribute(schema.imageAttribute)
  if (attribute === undefined || !canRead(role, schema.id, attribute.alias)) return undefined
  const type = dataTypeOf(attribute)
  for (const values of [layers.own, layers.inherited ?? {}]) {
    const scoped = scopedValues(values, attribute.alias)
    const unscoped = scoped.find(({ scope }) => Object.keys(scope).length === 0)
    for (const { value } of unscoped === undefined ? scoped : [unscoped, ...scoped]) {
      if (type.files !== undefined) return { file: value as FileValue }
      const [recordId] = type.records?.named(value) ?? []
      if (recordId !== undefined) return { recordId }
    }
  }
  return undefined
}

export function imageOf(recordId: string, { sha256, thumbhash }: FileValue): RecordImage {
  const url = `/api/v1/records/${encodeURIComponent(recordId)}/files/${sha256}/renditions/thumb`
  return { recordId, sha256, thumbhash, url }
}
