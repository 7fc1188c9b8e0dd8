// Shapes of the model that a file proposes. Contract 5 §1.
import * as v from 'valibot'
import { DECIMALS } from '../../../core/csv/csv-dialect.ts'
import { MappingInput } from '../import-profile.ts'
import { type Kind, KINDS } from './kinds.ts'

const texts = v.array(v.string())
export const FactsShape = v.object({
  samples: v.pipe(texts, v.description('The first cells, at most 5.')),
  filled: v.pipe(v.number(), v.description('Cells that are not empty.')),
  fits: v.pipe(
    v.object(Object.fromEntries(KINDS.map((kind) => [kind, v.number()])) as Record<Kind, v.NumberSchema<undefined>>),
    v.description('How many of the filled cells fit each kind of attribute.'),
  ),
  options: v.pipe(v.nullable(texts), v.description('The different texts. null: more than 60, or too long.')),
  parts: v.pipe(v.nullable(texts), v.description('The same for the parts between the separator.')),
  separator: v.nullable(v.string()),
  separated: v.pipe(v.number(), v.description('Cells that have the separator.')),
  datePattern: v.pipe(v.nullable(v.string()), v.description('null: ISO 8601.')),
  units: v.pipe(texts, v.description('Units and currencies in the cells, at most 20.')),
  withUnit: v.number(),
  isUnique: v.boolean(),
  hasLeadingZero: v.boolean(),
  isLong: v.boolean(),
  hasTags: v.boolean(),
  currencies: v.pipe(v.number(), v.description('Cells that are codes of currencies.')),
  pictures: v.pipe(v.number(), v.description('Cells that are addresses of pictures.')),
  arrows: v.pipe(v.number(), v.description('Cells with the sign >, as in Tea > Green.')),
})

export const ProposedColumnShape = v.object({
  index: v.number(),
  header: v.string(),
  closed: v.pipe(
    v.nullable(v.picklist(['empty', 'double', 'long'])),
    v.description('Why the column cannot be imported: its header is empty, occurs twice, or is too long.'),
  ),
  isTaken: v.boolean(),
  alias: v.pipe(v.string(), v.description('Columns of one attribute have the same alias.')),
  name: v.string(),
  kind: v.pipe(v.picklist(KINDS), v.description('A data type, integer (a number without decimals), or categories.')),
  language: v.nullable(v.string()),
  unit: v.pipe(v.nullable(v.string()), v.description('The unit or currency of amounts that have none.')),
  part: v.pipe(
    v.nullable(v.picklist(['unit', 'currency'])),
    v.description('The column has the units or currencies of the attribute.'),
  ),
  isUnique: v.boolean(),
  isRequired: v.boolean(),
  facts: FactsShape,
})

export const ProposalShape = v.object({
  rows: v.pipe(v.number(), v.description('Rows that were read: the first 200,000 cells, and 200 rows at least.')),
  isWhole: v.pipe(v.boolean(), v.description('Whether these are all rows of the file.')),
  loneCells: v.pipe(
    v.object({ rows: v.number(), samples: texts }),
    v.description(
      'Rows with one filled cell in a table of three columns or more, which are mostly footnotes; and three of them at most.',
    ),
  ),
  decimal: v.pipe(
    v.nullable(v.picklist(DECIMALS)),
    v.description('null: no csv, or its numbers can be read with either sign.'),
  ),
  schemaId: v.string(),
  name: v.string(),
  workflowId: v.string(),
  requiredInStateIds: texts,
  dimension: v.object({ id: v.string(), name: v.string() }),
  segments: v.array(v.object({ id: v.string(), name: v.string(), language: v.string() })),
  labelAttribute: v.nullable(v.string()),
  catalog: v.pipe(
    v.nullable(v.object({ id: v.string(), name: v.string(), isNew: v.boolean() })),
    v.description('The catalog of a column of categories. null: the caller may not write categories.'),
  ),
  columns: v.array(ProposedColumnShape),
  mapping: v.pipe(MappingInput, v.description('The body of PUT /api/v1/imports/:id/mapping.')),
})
