import { matchesCriterion } from '../../../../src/core/search/rules/judge-attribute.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  assertCanSearch,
  assertCriteria,
  matchesCriteria,
  matchesText,
} from '../../../../src/core/search/rules/criteria.ts'
import type { AttributeCriterion } from '../../../../src/core/search/rules/criterion.ts'
import { DATA_TYPE_NAMES, type DataTypeName } from '../../../../src/core/datatypes/data-types.ts'
import type { Schema } from '../../../../src/core/model/rules/model.ts'
import { parseComparand } from '../../../../src/core/search/rules/comparisons.ts'
import type { Comparand } from '../../../../src/core/search/rules/operator.ts'
import { OPERATOR_NAMES, type OperatorName } from '../../../../src/core/search/rules/operators.ts'
import type { Values } from '../../../../src/core/records/rules/record.ts'
import type { Scope } from '../../../../src/core/scopes/scope.ts'
import { foldText } from '../../../../src/kernel/text.ts'
import { attribute, LANGUAGE, layers, MARKET, modelOf, role } from '../../../helpers/domain-model.ts'
import {
  anyScope,
  anyScopedValues,
  everyCombination,
  isCovered,
  naiveEffectiveValue,
} from '../../../helpers/scope-oracle.ts'
import { buildModel } from '../../../helpers/build-model.ts'
import { searched, worldOf } from '../../../helpers/searched-records.ts'

const IDS = ['language', 'market']
const { model, schema } = modelOf([
  attribute('name', { dimensionIds: IDS }),
  attribute('weight', { dataType: 'number', dimensionIds: ['market'] }),
  attribute('constructor'),
  attribute('secret'),
])

const ask = (attributeAlias: string, operator: OperatorName, value?: Comparand, scope?: Scope): AttributeCriterion => ({
  attributeAlias,
  operator,
  ...(value === undefined ? {} : { value }),
  ...(scope === undefined ? {} : { scope }),
})
const global = (value: unknown) => [{ scope: {}, value }]
const holds = (values: Values, criterion: AttributeCriterion, inherited: Values | null = null): boolean =>
  matchesCriterion(criterion, layers(values, inherited), schema, model)

/** For each data type: a value, what it equals, what it does not, and what lies below and above it. */
interface Row {
  readonly settings?: Record<string, unknown>
  readonly value: unknown
  readonly equal: readonly string[]
  readonly unequal: readonly string[]
  readonly empty: readonly unknown[]
  readonly contained?: readonly string[]
  readonly below?: readonly string[]
  readonly above?: readonly string[]
}

/** None, all combinations, some of them. */
const SCOPES: readonly (Scope | undefined)[] = [undefined, {}, { language: 'de' }]

const text: Row = {
  value: 'Große Räder',
  equal: ['Große Räder'],
  unequal: ['große räder', 'Große', ''],
  empty: [''],
  contained: ['GROSSE'.slice(0, 3), 'räder', 'RA\u0308DER', ' ', ''],
}
const rows = {
  text,
  richText: text,
  url: {
    value: 'https://Example.com/a',
    equal: ['https://Example.com/a'],
    unequal: ['https://example.com/a'],
    empty: [''],
    contained: ['EXAMPLE', '://'],
  },
  number: {
    value: 1.5,
    equal: ['1.5', '1.50', '15e-1'],
    unequal: ['1', 'x', ''],
    empty: [],
    below: ['1', '-2'],
    above: ['2', '1e3'],
  },
  boolean: { value: true, equal: ['true'], unequal: ['false', 'TRUE', '1'], empty: [] },
  date: {
    value: '2024-02-29',
    equal: ['2024-02-29'],
    unequal: ['2024-03-01', 'x'],
    empty: [''],
    below: ['2024-02-28', '2024-02-28T23:59:59Z'],
    above: ['2024-03-01', '2024-02-29T00:00:01Z'],
  },
  dateTime: {
    value: '2024-02-29T12:00:00+01:00',
    equal: ['2024-02-29T11:00:00Z'],
    unequal: ['2024-02-29T12:00:00Z', '2024-02-29'],
    empty: [''],
    below: ['2024-02-29', '2024-02-29T10:59:59.999Z'],
    above: ['2024-03-01', '2024-02-29T11:00:00.001Z'],
  },
  select: { settings: { options: [{ id: 'red' }] }, value: 'red', equal: ['red'], unequal: ['Red', 're'], empty: [''] },
  multiSelect: {
    settings: { options: [{ id: 'red' }, { id: 'blue' }] },
    value: ['red', 'blue'],
    equal: ['red', 'blue'],
    unequal: ['green', 'red,blue'],
    empty: [[]],
  },
  price: {
    value: { amount: 12.5, currency: 'EUR' },
    equal: ['12.5', '12.50'],
    unequal: ['12', 'EUR'],
    empty: [],
    below: ['12'],
    above: ['13'],
  },
  measurement: {
    value: { amount: -3, unit: 'kg' },
    equal: ['-3', '-3.0'],
    unequal: ['3', 'kg'],
    empty: [],
    below: ['-4'],
    above: ['-2'],
  },
  reference: { value: 'ent-1', equal: ['ent-1'], unequal: ['ent-2', 'ENT-1'], empty: [''] },
  references: { value: ['ent-2', 'ent-1'], equal: ['ent-1', 'ent-2'], unequal: ['ent-3', 'ent-2|ent-1'], empty: [[]] },
  file: {
    value: { sha256: 'ab'.repeat(32), fileName: 'hemd.jpg', mediaType: 'image/jpeg', size: 5, width: 1, height: 1 },
    equal: ['ab'.repeat(32), 'AB'.repeat(32)],
    unequal: ['cd'.repeat(32), 'hemd.jpg'],
    empty: [],
  },
  json: {
    value: { b: 1, a: ['x'] },
    equal: ['{"a":["x"],"b":1}', '{"b": 1, "a": ["x"]}'],
    unequal: ['{"a":["x"]}', '{'],
    empty: ['', []],
  },
} satisfies Record<DataTypeName, Row>

for (const dataType of DATA_TYPE_NAMES) {
  const row: Row = rows[dataType]
  const it = modelOf([attribute('it', { dataType, dimensionIds: ['language'], ...row.settings })])
  const judge = (operator: OperatorName, value: string | undefined, stored: unknown, scope?: Scope): boolean =>
    matchesCriterion(ask('it', operator, value, scope), layers({ it: global(stored) }), it.schema, it.model)

  test(`${dataType}: equals and notEquals, with and without a scope`, () => {
    for (const scope of SCOPES) {
      for (const value of row.equal) assert.equal(judge('equals', value, row.value, scope), true, value)
      for (const value of row.equal) assert.equal(judge('notEquals', value, row.value, scope), false, value)
      for (const value of row.unequal) assert.equal(judge('equals', value, row.value, scope), false, value)
      for (const value of row.unequal) assert.equal(judge('notEquals', value, row.value, scope), true, value)
    }
  })

  test(`${dataType}: isEmpty and isNotEmpty`, () => {
    assert.equal(judge('isNotEmpty', undefined, row.value), true)
    assert.equal(judge('isEmpty', undefined, row.value), false)
    for (const stored of row.empty) assert.equal(judge('isEmpty', undefined, stored), true)
    for (const stored of row.empty) assert.equal(judge('isNotEmpty', undefined, stored, { language: 'de' }), false)
  })

  test(`${dataType}: contains looks into text alone`, () => {
    for (const value of row.contained ?? []) assert.equal(judge('contains', value, row.value), true, value)
    if (row.contained === undefined)
      for (const value of row.equal) assert.equal(judge('contains', value, row.value), false)
    assert.equal(judge('contains', 'nowhere', row.value), false)
  })

  test(`${dataType}: gt and lt where it has an order`, () => {
    for (const value of row.below ?? []) assert.equal(judge('gt', value, row.value), true, value)
    for (const value of row.below ?? []) assert.equal(judge('lt', value, row.value), false, value)
    for (const value of row.above ?? []) assert.equal(judge('lt', value, row.value), true, value)
    for (const value of row.above ?? []) assert.equal(judge('gt', value, row.value), false, value)
    for (const operator of ['gt', 'lt'] as const) assert.equal(judge(operator, row.equal[0], row.value), false)
    const isOrdered = row.below !== undefined
    const check = (): void =>
      assertCriteria(
        { criteria: [ask('it', 'gt', row.below?.[0] ?? '1')], criteriaOperator: 'and' },
        [it.schema],
        it.model,
      )
    if (isOrdered) assert.doesNotThrow(check)
    else assert.throws(check, { message: "criteria[0].operator 'gt' does not apply to the attribute 'it'" })
  })
}

test('notEquals and isEmpty are the exact negations of equals and isNotEmpty, whatever is stored', () => {
  const anyNames = anyScopedValues([LANGUAGE, MARKET], fc.constantFrom('', 'a', 'b'), 6)
  const anyCase = fc.record({
    own: anyNames,
    inherited: fc.option(anyNames),
    scope: fc.option(anyScope([LANGUAGE, MARKET]), { nil: undefined }),
    value: fc.constantFrom('', 'a', 'b', 'c'),
  })
  fc.assert(
    fc.property(anyCase, ({ own, inherited, scope, value }) => {
      const judge = (operator: OperatorName): boolean =>
        holds({ name: own }, ask('name', operator, value, scope), inherited && { name: inherited })
      assert.equal(judge('notEquals'), !judge('equals'))
      assert.equal(judge('isEmpty'), !judge('isNotEmpty'))
    }),
    { numRuns: 500 },
  )
})

test('with a scope exactly the effective values of the combinations that agree with it are judged', () => {
  const anyNames = anyScopedValues([LANGUAGE, MARKET], fc.constantFrom('', 'a', 'ab', 'B'), 6)
  fc.assert(
    fc.property(anyNames, fc.option(anyNames), anyScope([LANGUAGE, MARKET]), (own, inherited, scope) => {
      const judged = everyCombination([LANGUAGE, MARKET])
        .filter((combination) => isCovered(scope, combination))
        .flatMap((combination) => {
          const ofOwn = naiveEffectiveValue(own, combination, IDS)
          return ofOwn ?? naiveEffectiveValue(inherited ?? [], combination, IDS) ?? []
        })
        .map(({ value }) => value as string)
      const parent = inherited && { name: inherited }
      assert.equal(holds({ name: own }, ask('name', 'equals', 'a', scope), parent), judged.includes('a'))
      assert.equal(
        holds({ name: own }, ask('name', 'isNotEmpty', undefined, scope), parent),
        judged.some((value) => value !== ''),
      )
      assert.equal(
        holds({ name: own }, ask('name', 'contains', 'b', scope), parent),
        judged.some((value) => value.toLowerCase().includes('b')),
      )
    }),
    { numRuns: 500 },
  )
})

test('without a scope a value in any scope may match, also one that no combination sees', () => {
  const values = {
    name: [
      { scope: {}, value: 'covered' },
      ...['en', 'de', 'fr'].map((language) => ({ scope: { language }, value: language })),
    ],
  }
  assert.equal(holds(values, ask('name', 'equals', 'covered')), true)
  assert.equal(holds(values, ask('name', 'equals', 'covered', {})), false)
  assert.equal(holds(values, ask('name', 'equals', 'de')), true)
  assert.equal(holds(values, ask('name', 'equals', 'de', { language: 'en' })), false)
})

test('keys of dimensions that the attribute does not have are ignored', () => {
  const values = { weight: [{ scope: { market: 'eu' }, value: 5 }] }
  assert.equal(holds(values, ask('weight', 'equals', '5', { language: 'de', market: 'eu' })), true)
  assert.equal(holds(values, ask('weight', 'equals', '5', { language: 'de', market: 'us' })), false)
  assert.equal(holds(values, ask('weight', 'equals', '5', { language: 'de' })), true)
})

test('a variant is found by the value that it inherits, until it has its own', () => {
  const parent = { name: global('parent') }
  assert.equal(holds({}, ask('name', 'equals', 'parent'), parent), true)
  assert.equal(holds({}, ask('name', 'isEmpty'), parent), false)
  assert.equal(holds({ name: global('own') }, ask('name', 'equals', 'parent'), parent), false)
  const german = { name: [{ scope: { language: 'de' }, value: 'own' }] }
  assert.equal(holds(german, ask('name', 'equals', 'parent'), parent), true)
  assert.equal(holds(german, ask('name', 'equals', 'parent', { language: 'de' }), parent), false)
  assert.equal(holds(german, ask('name', 'equals', 'parent', { language: 'fr' }), parent), true)
  assert.equal(holds({ name: global('') }, ask('name', 'isEmpty'), parent), true)
})

test('a record whose schema does not define the alias matches no criterion on it, not even a negated one', () => {
  for (const operator of OPERATOR_NAMES) assert.equal(holds({}, ask('gone', operator, ['1', '2'])), false)
  for (const alias of ['toString', '__proto__', 'hasOwnProperty']) assert.equal(holds({}, ask(alias, 'isEmpty')), false)
})

test('an attribute called constructor is searched like any other', () => {
  assert.equal(holds({}, ask('constructor', 'isEmpty')), true)
  assert.equal(holds({ constructor: global('x') }, ask('constructor', 'equals', 'x')), true)
})

test('and needs every criterion, or needs one, and no criteria hold for every record', () => {
  const values = layers({ name: global('a'), weight: global(1) })
  const both = [ask('name', 'equals', 'a'), ask('weight', 'gt', '5')]
  const judge = (criteria: AttributeCriterion[], criteriaOperator: 'and' | 'or'): boolean =>
    matchesCriteria({ criteria, criteriaOperator }, searched({ layers: values, schema }), worldOf(model))
  assert.equal(judge(both, 'and'), false)
  assert.equal(judge(both, 'or'), true)
  assert.equal(judge(both.slice(1), 'or'), false)
  assert.equal(judge([], 'and'), true)
  assert.equal(judge([], 'or'), true)
})

test('the signs of LIKE, of quotes and of FTS are plain characters', () => {
  for (const odd of ['%', '_', '"', "'", '*', 'a" OR "b', 'NEAR(a b)', '\0', '\\', '-', '^']) {
    assert.equal(holds({ name: global('plain') }, ask('name', 'contains', odd)), false, odd)
    assert.equal(holds({ name: global(`x${odd}y`) }, ask('name', 'contains', odd)), true, odd)
  }
})

test('criteria are refused by name where they cannot be asked', () => {
  const refused = (criterion: AttributeCriterion, message: string | RegExp): void =>
    assert.throws(
      () => assertCriteria({ criteria: [ask('name', 'isEmpty'), criterion], criteriaOperator: 'or' }, [schema], model),
      {
        code: 'VALIDATION_ERROR',
        message,
      },
    )
  refused(ask('gone', 'isEmpty'), "criteria[1].attributeAlias names the unknown attribute 'gone'")
  refused(ask('toString', 'isEmpty'), /unknown attribute 'toString'/)
  refused(ask('name', 'isEmpty', undefined, { color: 'red' }), "criteria[1].scope names the unknown dimension 'color'")
  refused(
    ask('name', 'isEmpty', undefined, { language: 'toString' }),
    /unknown segment 'toString' of dimension 'language'/,
  )
  refused(ask('weight', 'gt', 'heavy'), "criteria[1].value must be a number for the operator 'gt'")
  refused(ask('name', 'lt', '5'), "criteria[1].operator 'lt' does not apply to the attribute 'name'")
  assert.doesNotThrow(() =>
    assertCriteria({ criteria: [ask('weight', 'equals', 'heavy')], criteriaOperator: 'and' }, [schema], model),
  )
})

test('without a schema an order may come from any schema that defines the alias', () => {
  const schemas = ['text', 'number', 'date'].map(
    (dataType, index) => modelOf([attribute('it', { dataType }), attribute(`only${index}`)]).schema,
  )
  const check = (value: string): void =>
    assertCriteria({ criteria: [ask('it', 'gt', value)], criteriaOperator: 'and' }, schemas, model)
  assert.doesNotThrow(() => check('5'))
  assert.doesNotThrow(() => check('2024-02-29'))
  assert.throws(() => check('often'), { code: 'VALIDATION_ERROR' })
})

test('a criterion on an attribute that the role may not read is refused, wherever it is defined', () => {
  const other = buildModel({
    dimensions: [],
    workflows: [],
    roles: [],
    schemas: [
      {
        id: 'other',
        name: 'Other',
        workflowId: 'wf',
        attributes: [attribute('secret')],
        combinations: null,
        createdAt: '',
        updatedAt: '',
      },
    ],
  }).schemas.get('other') as Schema
  const reader = role({ defaultAttributePermission: 'read', attributePermissions: { other: { secret: 'none' } } })
  const search = (alias: string, schemas: Schema[]) => () =>
    assertCanSearch({ criteria: [ask(alias, 'isEmpty')], criteriaOperator: 'and' }, schemas, reader)
  assert.doesNotThrow(search('secret', [schema]))
  assert.doesNotThrow(search('name', [schema, other]))
  assert.throws(search('secret', [schema, other]), { code: 'PERMISSION_DENIED', message: /'secret'/ })
})

test('what gt and lt compare with is a number, or a point in time', () => {
  assert.equal(parseComparand('1.5', 'number'), 1.5)
  assert.equal(parseComparand('2024-02-29', 'number'), undefined)
  assert.equal(parseComparand('1970-01-01', 'time'), 0)
  assert.equal(parseComparand('1970-01-01T00:00:01Z', 'time'), 1000)
  assert.equal(parseComparand('5', 'time'), undefined)
})

test('full-text finds what includes finds in folded text, in own and inherited values', () => {
  const anyText = fc.string({
    unit: fc.constantFrom('a', 'B', 'ä', 'A\u0308', 'ß', 'İ', '日', '😀', '%', '"'),
    maxLength: 6,
  })
  fc.assert(
    fc.property(
      anyText,
      anyText,
      fc.string({ unit: fc.constantFrom('a', 'b', 'Ä', '日', '%'), minLength: 1, maxLength: 2 }),
      (own, inherited, query) => {
        const values = layers({ constructor: global(own) }, { name: global(inherited), constructor: global('never') })
        const found = matchesText(foldText(query), values, schema, role({ defaultAttributePermission: 'read' }), model)
        assert.equal(
          found,
          [own, inherited].some((value) => foldText(value).includes(foldText(query))),
        )
      },
    ),
    { numRuns: 500 },
  )
})

test('full-text passes over attributes that are no text or hidden from the role', () => {
  const values = layers({ secret: global('needle'), weight: global(5) })
  const judge = (query: string, ...hidden: string[]): boolean =>
    matchesText(
      query,
      values,
      schema,
      role({
        defaultAttributePermission: 'read',
        attributePermissions: { sch: Object.fromEntries(hidden.map((alias) => [alias, 'none' as const])) },
      }),
      model,
    )
  assert.equal(judge('needle'), true)
  assert.equal(judge('needle', 'secret'), false)
  assert.equal(judge('5'), false)
})
