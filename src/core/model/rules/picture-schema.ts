// A predefined schema for pictures: the file, its texts by language, its focus point and its rights. Contract 4 §2.
import type * as v from 'valibot'
import { parse } from '../../../kernel/input/parse.ts'
import { findLanguageDimension } from './language-dimension.ts'
import type { Dimension } from './dimension.ts'
import { SchemaInput } from './schema.ts'

const PICTURE_SCHEMA_ID = 'sch-picture'

interface PictureSchemaInput {
  readonly id?: string | undefined
  readonly name?: string | undefined
}

/** The dimension `language`, or a dimension with that name, scopes `alt`. Without such a dimension `alt` is not scoped. */
export function pictureSchema(
  { id = PICTURE_SCHEMA_ID, name = 'Picture' }: PictureSchemaInput,
  dimensions: readonly Pick<Dimension, 'id' | 'name'>[],
): v.InferOutput<typeof SchemaInput> {
  const language = findLanguageDimension(dimensions)
  return parse(
    SchemaInput,
    {
      id,
      name,
      imageAttribute: 'content',
      labelAttribute: 'alt',
      attributes: [
        {
          alias: 'content',
          name: 'Picture',
          names: { de: 'Bild' },
          dataType: 'file',
          validation: { mediaTypes: ['image/*'] },
        },
        {
          alias: 'alt',
          name: 'Alternative text',
          names: { de: 'Alternativtext' },
          description: 'What the picture shows, for people who do not see it.',
          dataType: 'text',
          dimensionIds: language === undefined ? [] : [language.id],
          validation: { maxLength: 500 },
        },
        {
          alias: 'focus',
          name: 'Focus point',
          names: { de: 'Bildmittelpunkt' },
          description: 'The point that a crop keeps: { x, y } from 0 to 1.',
          dataType: 'json',
        },
        { alias: 'copyright', name: 'Copyright', names: { de: 'Urheberrecht' }, dataType: 'text' },
        { alias: 'expires', name: 'Expires', names: { de: 'Läuft ab' }, dataType: 'date' },
      ],
    },
    'body',
  )
}
