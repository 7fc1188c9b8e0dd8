// Finds the attribute that holds the picture of the records that an attribute refers to. Contract 3 §4.
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'

/** Where the pictures are that references name. */
export interface PicturePlace {
  readonly schema: Schema
  readonly attribute: Attribute
}

/**
 * The image attribute of the schema that the references name, if that is a file; else its first file. Undefined: there is none.
 * @param schemaId of the pictures, for references that name no schema
 */
export function pictureAttribute(
  { dataType, validation }: Attribute,
  { schemas }: Pick<Model, 'schemas'>,
  schemaId = '',
): PicturePlace | undefined {
  const schema = dataType === 'references' ? schemas.get(validation.schemaId ?? schemaId) : undefined
  const image = schema?.attribute(schema.imageAttribute ?? '')
  const attribute = image?.dataType === 'file' ? image : schema?.attributes.find((one) => one.dataType === 'file')
  return schema === undefined || attribute === undefined ? undefined : { schema, attribute }
}
