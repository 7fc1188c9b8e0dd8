import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { EqualityKey, UnitField } from '../../../src/core/datatypes/data-type.ts'
import { DATA_TYPE_NAMES, dataTypeOf, type DataTypeName } from '../../../src/core/datatypes/data-types.ts'
import { parseNumber } from '../../../src/core/datatypes/numbers.ts'
import { attribute } from '../../helpers/domain-model.ts'
import { threadTime } from '../../helpers/thread-time.ts'

/** What one data type must do: contract 2 §3, 2 §5. */
interface Row {
  readonly settings?: Record<string, unknown>
  readonly good: readonly unknown[]
  readonly bad: readonly (readonly [value: unknown, problem: RegExp])[]
  /** Good as well. */
  readonly empty: readonly unknown[]
  /** Value → what `equals` compares. */
  readonly keys: readonly (readonly [value: unknown, keys: EqualityKey[]])[]
  /** A criterion's value → its key. */
  readonly comparands: readonly (readonly [text: string, key: EqualityKey | undefined])[]
  readonly isText: boolean
  readonly order: 'number' | 'time' | undefined
  /** Value → what stands in its cell, and in that of its unit. */
  readonly cells: readonly (readonly [value: unknown, cell: string | number | boolean, unit?: string])[]
  /** Text of a cell → what is wrong with it. */
  readonly badCells?: readonly (readonly [text: string, problem: RegExp])[]
  readonly unitField?: UnitField
  /** Value → the choices that it names. */
  readonly named?: readonly (readonly [value: unknown, choices: readonly string[]])[]
  /** Value → the records that it names. */
  readonly records?: readonly (readonly [value: unknown, ids: readonly string[]])[]
}

test('the data types are those of the decisions', () => {
  const named =
    'text richText url number boolean date dateTime select multiSelect price measurement reference references file json'
  assert.deepEqual(DATA_TYPE_NAMES.join(' '), named)
})

const NO_STRINGS = [1, true, [], {}, ['a']] as const
const noString = NO_STRINGS.map((value) => [value, /^must be a string$/] as const)
const DAY = Date.UTC(2024, 1, 29)

const text: Row = {
  good: ['a', ' ', 'ß', '👩‍👩‍👧', '"; DROP TABLE record; --', '\0'],
  bad: noString,
  empty: [''],
  keys: [['Straße', ['Straße']]],
  comparands: [['Straße', 'Straße']],
  cells: [
    ['Straße', 'Straße'],
    ['', ''],
  ],
  isText: true,
  order: undefined,
}

const amounts = (unitField: UnitField, unit: string): Omit<Row, 'settings' | 'bad'> => ({
  good: [
    { amount: 0, [unitField]: unit },
    { amount: -1.5, [unitField]: unit },
  ],
  empty: [],
  keys: [[{ amount: 12.5, [unitField]: unit }, [12.5]]],
  comparands: [
    ['12.50', 12.5],
    ['12,50', undefined],
  ],
  isText: false,
  order: 'number',
  cells: [[{ amount: 12.5, [unitField]: unit }, 12.5, unit]],
  badCells: [['12,50', /^must be a number/]],
  unitField,
  named: [[{ amount: 12.5, [unitField]: unit }, [unit]]],
})

const rows = {
  text,
  richText: { ...text, good: [...text.good, '<p>Bold &amp; <b>new</b></p>'] },
  url: {
    ...text,
    good: ['https://example.com', 'ftp://a/b', 'mailto:a@example.com', 'HTTP://EXAMPLE.COM/?q=ü'],
    bad: [
      ...noString,
      ['example.com', /^must be an absolute URL$/],
      ['/relative', /^must be an absolute URL$/],
      ['javascript:alert(1)', /script/],
      [' JavaScript:alert(1)', /script/],
      ['java\tscript:alert(1)', /script/],
      ['\u0001vbscript:x', /script/],
      ['data:text/html,x', /script or data URL/],
    ],
  },
  number: {
    good: [0, -0, 1, -1.5, 1e300, 5e-324],
    bad: [
      [Number('1e400'), /^must be a finite number$/],
      [NaN, /finite/],
      ['1', /finite/],
      [true, /finite/],
      [[], /finite/],
      [{}, /finite/],
    ],
    empty: [],
    keys: [
      [1.5, [1.5]],
      [0, [0]],
    ],
    comparands: [
      ['1.50', 1.5],
      ['1e3', 1000],
      ['-0', 0],
      ['one', undefined],
    ],
    isText: false,
    order: 'number',
    cells: [[1.5, 1.5]],
    badCells: [
      ['1,5', /^must be a number, written as 1234\.5$/],
      ['9007199254740993', /which a number cannot hold/],
    ],
  },
  boolean: {
    good: [true, false],
    bad: [
      [0, /^must be true or false$/],
      ['true', /true or false/],
      ['', /true or false/],
    ],
    empty: [],
    keys: [
      [true, ['true']],
      [false, ['false']],
    ],
    comparands: [['true', 'true']],
    isText: false,
    order: undefined,
    cells: [[true, true]],
    badCells: [['yes', /^must be true or false$/]],
  },
  date: {
    good: ['2024-02-29', '1999-12-31', '0001-01-01'],
    bad: [
      ['2023-02-29', /^must be a date of the form YYYY-MM-DD$/],
      ['2024-13-01', /date/],
      ['2024-1-1', /date/],
      ['2024-02-29T00:00:00Z', /date/],
      ['29.02.2024', /date/],
      [20240229, /date/],
      [{}, /date/],
    ],
    empty: [''],
    keys: [
      ['2024-02-29', [DAY]],
      ['', []],
    ],
    comparands: [
      ['2024-02-29', DAY],
      ['2023-02-29', undefined],
      ['', undefined],
    ],
    isText: false,
    order: 'time',
    cells: [
      ['2024-02-29', '2024-02-29'],
      ['', ''],
    ],
  },
  dateTime: {
    good: ['2024-02-29T12:00:00Z', '2024-02-29T12:00+01:00', '2024-02-29T12:00:00.123456789-0330'],
    bad: [
      ['2024-02-29', /^must be an ISO 8601 date and time$/],
      ['2024-02-29T24:00:00Z', /ISO 8601/],
      ['2024-02-29 12:00:00', /ISO 8601/],
      [0, /ISO 8601/],
    ],
    empty: [''],
    keys: [['2024-02-29T01:00:00+01:00', [DAY]]],
    comparands: [
      ['2024-02-29T00:00:00Z', DAY],
      ['now', undefined],
    ],
    isText: false,
    order: 'time',
    cells: [['2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z']],
  },
  select: {
    settings: { options: [{ id: 'red' }, { id: 'constructor' }] },
    good: ['red', 'constructor'],
    bad: [
      ['Red', /^must be the ID of an option of 'it'$/],
      ['toString', /option/],
      [1, /option/],
      [['red'], /option/],
    ],
    empty: [''],
    keys: [['red', ['red']]],
    comparands: [['red', 'red']],
    isText: false,
    order: undefined,
    cells: [['red', 'red']],
    named: [
      ['red', ['red']],
      ['', []],
    ],
  },
  multiSelect: {
    settings: { options: [{ id: 'red' }, { id: 'blue' }, { id: 'toString' }], validation: { maxItems: 2 } },
    good: [['red'], ['blue', 'red'], ['toString']],
    bad: [
      ['red', /^must be an array of option IDs$/],
      [[1], /array of option IDs/],
      [['green'], /^must list IDs of options of 'it' only$/],
      [['red', 'red'], /^must not list an option twice$/],
      [['red', 'blue', 'toString'], /^must have at most 2 items$/],
    ],
    empty: [[]],
    keys: [
      [
        ['blue', 'red'],
        ['blue', 'red'],
      ],
      [[], []],
    ],
    comparands: [
      ['red', 'red'],
      ['', undefined],
    ],
    isText: false,
    order: undefined,
    cells: [
      [['blue', 'red'], 'blue|red'],
      [[], ''],
    ],
    named: [
      [
        ['blue', 'red'],
        ['blue', 'red'],
      ],
    ],
  },
  price: {
    ...amounts('currency', 'EUR'),
    settings: { currencies: ['EUR', 'USD'], validation: { min: -10, maxDecimals: 2 } },
    bad: [
      [12.5, /^needs a currency: EUR, USD, as in \{ amount, currency \}$/],
      [null, /^must be { amount/],
      [[], /^must be { amount/],
      [{ amount: 1 }, /^must be { amount/],
      [{ amount: '1', currency: 'EUR' }, /^amount must be a finite number$/],
      [{ amount: -11, currency: 'EUR' }, /^amount must be at least -10$/],
      [{ amount: 1.234, currency: 'EUR' }, /^amount must have at most 2 decimal places$/],
      [{ amount: 1, currency: 'XXL' }, /^currency must be an ISO 4217 code$/],
      [{ amount: 1, currency: 'eur' }, /ISO 4217/],
      [{ amount: 1, currency: 'GBP' }, /^currency must be one of EUR, USD$/],
    ],
  },
  measurement: {
    ...amounts('unit', 'kg'),
    settings: { units: ['kg', 'g'] },
    bad: [
      ['1 kg', /^must be { amount: number, unit: string }$/],
      [{ amount: 1, unit: '' }, /^needs a unit: kg, g$/],
      [{ amount: 1, unit: 'lb' }, /^unit must be one of kg, g$/],
      [{ amount: Number('1e400'), unit: 'kg' }, /^amount must be a finite number$/],
    ],
  },
  reference: {
    good: ['ent-1'],
    bad: [
      [1, /^must be a record ID$/],
      [['ent-1'], /record ID/],
      ['x'.repeat(129), /record ID/],
    ],
    empty: [''],
    keys: [['ent-1', ['ent-1']]],
    comparands: [['ent-1', 'ent-1']],
    isText: false,
    order: undefined,
    cells: [['ent-1', 'ent-1']],
    records: [
      ['ent-1', ['ent-1']],
      ['', []],
    ],
  },
  references: {
    settings: { validation: { maxCount: 2, schemaId: 'sch-picture' } },
    good: [['ent-1'], ['ent-2', 'ent-1'], ['toString']],
    bad: [
      ['ent-1', /^must be an array of record IDs$/],
      [[1], /array of record IDs/],
      [[''], /array of record IDs/],
      [['a|b'], /array of record IDs/],
      [['x'.repeat(129)], /array of record IDs/],
      [['ent-1', 'ent-1'], /^must not list a record twice$/],
      [['ent-1', 'ent-2', 'ent-3'], /^must list at most 2 records$/],
    ],
    empty: [[]],
    keys: [
      [
        ['ent-2', 'ent-1'],
        ['ent-2', 'ent-1'],
      ],
      [[], []],
    ],
    comparands: [
      ['ent-1', 'ent-1'],
      ['', undefined],
    ],
    isText: false,
    order: undefined,
    cells: [
      [['ent-2', 'ent-1'], 'ent-2|ent-1'],
      [[], ''],
    ],
    records: [
      [
        ['ent-2', 'ent-1'],
        ['ent-2', 'ent-1'],
      ],
      [[], []],
    ],
  },
  file: {
    good: [{ sha256: 'ab'.repeat(32), fileName: 'hemd.jpg' }],
    bad: [
      ['ab'.repeat(32), /^must be \{ sha256, fileName \}$/],
      [{ sha256: 'ab'.repeat(32) }, /^must be \{ sha256, fileName \}$/],
      [{ sha256: 1, fileName: 'hemd.jpg' }, /^must be \{ sha256, fileName \}$/],
      [[], /^must be \{ sha256, fileName \}$/],
      [{ sha256: 'ab', fileName: 'hemd.jpg' }, /^must have a sha256 of 64 hexadecimal digits$/],
      [{ sha256: 'xy'.repeat(32), fileName: 'hemd.jpg' }, /^must have a sha256 of 64 hexadecimal digits$/],
    ],
    empty: [],
    keys: [[{ sha256: 'ab'.repeat(32), fileName: 'hemd.jpg' }, ['ab'.repeat(32)]]],
    comparands: [['AB'.repeat(32), 'ab'.repeat(32)]],
    isText: false,
    order: undefined,
    cells: [],
    badCells: [['hemd.jpg', /^must be the SHA-256 of a file/]],
  },
  json: {
    good: [1, 'a', true, { a: [null] }, [[]], {}, nested(500)],
    bad: [
      ['x'.repeat(65_535), /^must be at most 64 KiB of JSON$/],
      ['ä'.repeat(32_768), /64 KiB/],
      [nested(501), /^must not nest deeper than 500 levels$/],
      [Number('1e400'), /^must not hold a number that is too large/],
      [{ a: [-Number('1e400')] }, /^must not hold a number/],
    ],
    empty: ['', []],
    keys: [[{ b: 1, a: [2] }, ['{"a":[2],"b":1}']]],
    comparands: [
      ['{"a": [2], "b": 1}', '{"a":[2],"b":1}'],
      ['{', undefined],
      ['[1e400]', undefined],
    ],
    isText: false,
    order: undefined,
    cells: [
      [{ b: 1, a: [2] }, '{"b":1,"a":[2]}'],
      ['', '""'],
    ],
    badCells: [
      ['{', /^must be JSON$/],
      [JSON.stringify(nested(501)), /^must not nest deeper/],
      ['"\\ud800"', /lone surrogate/],
    ],
  },
} satisfies Record<DataTypeName, Row>

function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

for (const name of DATA_TYPE_NAMES) {
  const row: Row = rows[name]
  const type = dataTypeOf({ dataType: name })
  const it = attribute('it', { dataType: name, ...row.settings })

  test(`${name} takes its values, and refuses others with the reason`, () => {
    for (const value of [...row.good, ...row.empty])
      assert.equal(type.findFault(value, it), undefined, JSON.stringify(value))
    for (const [value, problem] of row.bad) assert.match(type.findFault(value, it)?.problem ?? 'no fault', problem)
  })

  test(`${name} knows which of its values are empty`, () => {
    for (const value of row.empty) assert.equal(type.isEmpty(value), true, JSON.stringify(value))
    for (const value of row.good) assert.equal(type.isEmpty(value), false, JSON.stringify(value))
  })

  test(`${name} has the keys and comparands that searching compares`, () => {
    for (const [value, keys] of row.keys) assert.deepEqual(type.equalityKeys(value), keys)
    for (const [comparand, key] of row.comparands) assert.equal(type.parseKey(comparand), key)
    assert.equal(type.isText, row.isText)
    assert.equal(type.order, row.order)
    const keyType = row.order === undefined ? 'string' : 'number'
    for (const value of row.good) for (const key of type.equalityKeys(value)) assert.equal(typeof key, keyType)
  })

  test(`${name} says rightly what an index may conclude from its keys`, () => {
    const keysOf = (values: readonly unknown[]) => values.map((value) => type.equalityKeys(value))
    const most = Math.max(...keysOf(row.good).map((keys) => keys.length))
    assert.equal(type.keysPerValue, most > 1 ? 'many' : 'one')
    // All empty values have one key in the index, the empty text.
    const otherKeys = keysOf(row.empty)
      .flat()
      .filter((key) => key !== '')
    assert.equal(type.areKeysExact, otherKeys.length === 0)
    const isFindable = row.empty.some((value) => type.equalityKeys(value).includes(''))
    if (row.empty.length > 0) assert.equal(type.parseKey('') === '', isFindable)
  })

  test(`${name} is written into cells, and read back from them`, () => {
    assert.equal(type.unitField, row.unitField)
    for (const [value, cell, unit = ''] of row.cells) {
      assert.equal(type.toCell(value), cell)
      if (cell !== '' || type.mayBeEmptyText) assert.deepEqual(type.fromCell(String(cell), unit), { value })
    }
    for (const [written, problem] of row.badCells ?? []) assert.match(type.fromCell(written, '').problem ?? '', problem)
    const hasEmptyCell = row.empty.some((value) => type.toCell(value) === '')
    assert.equal(type.mayBeEmptyText, hasEmptyCell)
  })

  test(`${name} names its choices, and records`, () => {
    for (const [value, choices] of row.named ?? []) assert.deepEqual(type.choices?.named(value), choices)
    assert.equal(type.choices === undefined, row.named === undefined)
    for (const [value, ids] of row.records ?? []) {
      assert.deepEqual(type.records?.named(value), ids)
      assert.deepEqual(
        type.records?.keep(value, () => true),
        ids.length === 0 && Array.isArray(value) ? undefined : value,
      )
    }
    assert.equal(type.records === undefined, row.records === undefined)
    for (const value of row.good)
      assert.equal(
        type.choices?.keep(value, () => false),
        undefined,
      )
    assert.ok(type.form.length > 0)
  })
}

test('any JSON value is judged by every data type without an exception', () => {
  fc.assert(
    fc.property(fc.constantFrom(...DATA_TYPE_NAMES), fc.jsonValue(), (name, value) => {
      const row: Row = rows[name]
      const fault = dataTypeOf({ dataType: name }).findFault(
        value,
        attribute('it', { dataType: name, ...row.settings }),
      )
      assert.ok(fault === undefined || fault.problem.length > 0)
    }),
    { numRuns: 1000 },
  )
})

test('a price without listed currencies may be in any currency of ISO 4217, a measurement without units in any unit', () => {
  const price = attribute('it', { dataType: 'price' })
  const funds = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'XDR', 'XSU', 'XUA']
  const others = ['XAU', 'XAG', 'XPT', 'XPD', 'XBA', 'XBB', 'XBC', 'XBD', 'XTS', 'XXX', 'VED', 'ZWG', 'XCG', 'XAD']
  for (const currency of ['EUR', 'USD', 'JPY', 'CHF', ...funds, ...others, ...Intl.supportedValuesOf('currency')])
    assert.equal(dataTypeOf(price).findFault({ amount: 1, currency }, price), undefined)
  for (const currency of ['ABC', 'DEM', 'eur', '', 'EUR ', 'XAF XAG'])
    assert.match(dataTypeOf(price).findFault({ amount: 1, currency }, price)?.problem ?? '', /ISO 4217/)
  const size = attribute('it', { dataType: 'measurement' })
  assert.equal(dataTypeOf(size).findFault({ amount: 1, unit: 'furlong' }, size), undefined)
})

test('a number is read from decimal notation only', () => {
  for (const [written, number] of [
    ['1', 1],
    ['+1.', 1],
    ['.5', 0.5],
    ['-1.5E+2', -150],
    ['007', 7],
  ] as const)
    assert.equal(parseNumber(written), number)
  for (const written of ['', ' 1', '1 ', '0x10', '1_000', '1,5', 'Infinity', 'NaN', '1e400', '-', '.', 'e5', '١'])
    assert.equal(parseNumber(written), undefined, written)
  assert.equal(Object.is(parseNumber('-0'), 0), true)
})

test('ten thousand options and a list as long are compared at once', () => {
  const options = Array.from({ length: 10_000 }, (_, index) => ({ id: `o${index}` }))
  const it = attribute('it', { dataType: 'multiSelect', options })
  const all = options.map(({ id }) => id).toReversed()
  const start = threadTime()
  assert.equal(dataTypeOf(it).findFault(all, it), undefined)
  assert.match(
    dataTypeOf(it).findFault(
      Array.from({ length: 500_000 }, () => 'o9999'),
      it,
    )?.problem ?? '',
    /twice/,
  )
  assert.ok(threadTime() - start < 1000)
})
