// Finds the attribute that holds the picture of the records that an attribute refers to. Contract 3 §4.
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'

/** Where the pictures are that references name. */
export interface PicturePlace {
  readonly schema: Schema
  readonly attribute: Attribute
}

/** The first attribute of a file in the schema of the references; undefined: there is none. */
export function pictureAttribute(
  { dataType, validation }: Attribute,
  { schemas }: Pick<Model, 'schemas'>,
): PicturePlace | undefined {
  const schema = dataType === 'references' ? schemas.get(validation.schemaId ?? '') : undefined
  const attribute = schema?.attributes.find((one) => one.dataType === 'file')
  return schema === undefined || attribute === undefined ? undefined : { schema, attribute }
}
