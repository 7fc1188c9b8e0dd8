// Draws random models and records by fast-check. They contain every data type, attributes with several dimensions,
// schemas that share aliases, unusual names, texts and IDs, and variants.
import * as fc from 'fast-check'
import { DATA_TYPE_NAMES, type DataTypeName } from '../../src/core/datatypes/data-types.ts'
import type { Dimension } from '../../src/core/model/rules/dimension.ts'
import { awkwardText } from './drawn-records.ts'
import { anyDimensions, anyScopedValues } from './scope-oracle.ts'

/** Includes names that columns, JavaScript objects and spreadsheets use themselves. */
const ALIASES = ['id', 'schemaId', 'deleted', 'categories', 'constructor', 'toString', 'a-b_', 'A', 'a', 'unit', 'TRUE']
const RECORD_IDS = [
  '0',
  '007',
  '1e3',
  'TRUE',
  'constructor',
  'a~b',
  'A.b',
  'a.b',
  '2024-02-29',
  'e-1',
  'r',
  'x',
  'y',
  'z',
]
const OPTIONS = ['a.b', 'c_d', 'e~f', '1', 'constructor']
const UNITS = ['kg', '"', '-µm,\r', '=1+1']
const CURRENCIES = ['EUR', 'USD', 'JPY']

const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.constantFrom(0, -1, 1e21, 0.1, 1e-7, 2 ** 53 - 1),
)
/** Few texts, so that a variant often has the same text as its parent. */
const anyText = fc.oneof(
  { arbitrary: fc.constantFrom('a', '', '"', ' x\r\ny,', '=1', '007', "'"), weight: 3 },
  awkwardText,
)

/** A reference to one of the records, which are drawn later. */
class Reference {
  readonly place: number
  constructor(place: number) {
    this.place = place
  }
}

/** Files have to be sent before values name them. */
type DrawnType = Exclude<DataTypeName, 'file'>
const DRAWN_TYPES = DATA_TYPE_NAMES.filter((name): name is DrawnType => name !== 'file')

const VALUES: Record<DrawnType, fc.Arbitrary<unknown>> = {
  text: anyText,
  richText: anyText,
  url: fc.oneof(fc.webUrl(), fc.constant('')),
  number: anyNumber,
  boolean: fc.boolean(),
  date: fc.constantFrom('2024-02-29', '1899-12-31', '0001-01-01', '9999-12-31', ''),
  dateTime: fc.constantFrom(
    '2024-02-29T23:59:59.123456789+02:00',
    '2024-02-29T00:00:00.000Z',
    '1900-02-28T12:00:00Z',
    '2024-02-29T10:00:00.500-11:30',
    '',
  ),
  select: fc.constantFrom(...OPTIONS, ''),
  multiSelect: fc.subarray(OPTIONS),
  price: fc.record({ amount: anyNumber, currency: fc.constantFrom(...CURRENCIES) }),
  measurement: fc.record({ amount: anyNumber, unit: fc.constantFrom(...UNITS) }),
  reference: fc.oneof(
    fc.nat(99).map((place) => new Reference(place)),
    fc.constant(''),
  ),
  references: fc.array(
    fc.nat(99).map((place) => new Reference(place)),
    { maxLength: 3 },
  ),
  json: fc.oneof(
    fc.constantFrom<unknown>('', [], {}, { a: null }, 'null', '1', 0),
    fc.jsonValue({ stringUnit: 'grapheme' }).filter((value) => value !== null),
  ),
}

interface DrawnAttribute {
  readonly alias: string
  readonly dataType: DrawnType
  readonly dimensionIds: readonly string[]
  readonly options?: readonly { readonly id: string }[]
}
interface DrawnSchema {
  readonly id: string
  readonly name: string
  readonly attributes: readonly DrawnAttribute[]
}
export interface DrawnRecord {
  readonly id: string
  readonly schemaId: string
  readonly parentId?: string
  readonly values: Readonly<Record<string, unknown>>
}
export interface DrawnWorkspace {
  readonly dimensions: readonly Dimension[]
  readonly schemas: readonly DrawnSchema[]
  /** Parents come before their variants. */
  readonly records: readonly DrawnRecord[]
}

const anyAttributes = (dimensions: readonly Dimension[]): fc.Arbitrary<DrawnAttribute[]> =>
  fc.uniqueArray(
    fc.record({
      alias: fc.constantFrom(...ALIASES),
      dataType: fc.constantFrom(...DRAWN_TYPES),
      dimensionIds: fc.subarray(dimensions.map(({ id }) => id)),
    }),
    { selector: ({ alias }) => alias, minLength: 3, maxLength: ALIASES.length, size: 'max' },
  )

function anyValues(attributes: readonly DrawnAttribute[], dimensions: readonly Dimension[]) {
  const pairs = attributes.map(({ alias, dataType, dimensionIds }) => {
    const own = dimensions.filter(({ id }) => dimensionIds.includes(id))
    return anyScopedValues(own, VALUES[dataType], 4).map((values) => [alias, values] as const)
  })
  return fc.tuple(...pairs).map((entries) => Object.fromEntries(entries.filter(([, values]) => values.length > 0)))
}

const withOptions = (attribute: DrawnAttribute): DrawnAttribute =>
  attribute.dataType === 'select' || attribute.dataType === 'multiSelect'
    ? { ...attribute, options: OPTIONS.map((id) => ({ id })) }
    : attribute

const anyModel = anyDimensions.chain((dimensions) =>
  fc
    .tuple(anyAttributes(dimensions), anyAttributes(dimensions))
    .map(([one, other]) => ({ dimensions, schemas: [one, other] as const })),
)

export const anyWorkspace: fc.Arbitrary<DrawnWorkspace> = anyModel.chain(({ dimensions, schemas }) => {
  const record = fc.oneof(
    ...schemas.map((attributes, index) =>
      fc.record({
        schemaId: fc.constant(`sch-${index}`),
        values: anyValues(attributes, dimensions),
        variants: fc.array(anyValues(attributes, dimensions), { maxLength: 2 }),
      }),
    ),
  )
  const ids = fc.shuffledSubarray(RECORD_IDS, { minLength: RECORD_IDS.length })
  return fc.tuple(ids, fc.array(record, { minLength: 2, maxLength: 4, size: 'max' })).map(([names, families]) => {
    const left = [...names]
    const records = families.flatMap(({ schemaId, values, variants }): DrawnRecord[] => {
      const id = left.pop()!
      return [
        { id, schemaId, values },
        ...variants.map((own) => ({ id: left.pop()!, schemaId, parentId: id, values: own })),
      ]
    })
    const defined = schemas.map((attributes, index) => ({
      id: `sch-${index}`,
      name: `Schema ${index}`,
      attributes: attributes.map(withOptions),
    }))
    const idOf = ({ place }: Reference): string => records[place % records.length]!.id
    const settle = (_key: string, value: unknown): unknown => {
      if (value instanceof Reference) return idOf(value)
      const isList = Array.isArray(value) && value.length > 0 && value.every((item) => item instanceof Reference)
      return isList ? [...new Set(value.map(idOf))] : value
    }
    return { dimensions, schemas: defined, records: JSON.parse(JSON.stringify(records, settle)) as DrawnRecord[] }
  })
})
