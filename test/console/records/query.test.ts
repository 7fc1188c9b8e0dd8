// The query of the sheet as address, search and view: `console/filters/query.ts`, `views.ts`, `filters.ts`,
// `columns.ts`.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { type Column, parseColumns, writeColumns } from '../../../console/state/addresses.ts'
import { firstColumns, resolveColumns, sortKeyOf, toColumn } from '../../../console/records/columns.ts'
import { readFilter, withCompleteness, readCompleteness, withFilter } from '../../../console/filters/filters.ts'
import {
  chipsOf,
  knownQuery,
  readQuery,
  type RecordsQuery,
  removableChips,
  toSelection,
  withoutChip,
  writeQuery,
} from '../../../console/filters/query.ts'
import { groupColumn, groupColumns } from '../../../console/records/grouping.ts'
import { fromSavedView, isSameView, toSavedView } from '../../../console/records/views.ts'
import { type Attribute, defineAttribute } from '../../../src/core/model/rules/attributes.ts'
import type { Criterion } from '../../../src/core/search/rules/criterion.ts'
import { SelectionInput } from '../../../src/core/search/rules/selection.ts'

const id = fc.constantFrom('a', 'b-1', 'ctg-7', 'x_y')
const ids = fc.uniqueArray(id, { maxLength: 3 })
const scope = fc.constantFrom<Record<string, string>>({}, { language: 'de' }, { language: 'de', market: 'eu' })
const within = scope.map((one) => (Object.keys(one).length === 0 ? {} : { scope: one }))
const criterion: fc.Arbitrary<Criterion> = fc.oneof(
  fc
    .tuple(id, within)
    .map(([alias, own]) => ({ attributeAlias: alias, operator: 'in' as const, value: ['1'], ...own })),
  fc.constant<Criterion>({ field: 'completeness', operator: 'gte', value: '50' }),
  fc.constant<Criterion>({
    criteriaOperator: 'or',
    criteria: [{ attributeAlias: 'a', operator: 'isEmpty' }],
    not: true,
  }),
)
const sort = fc.uniqueArray(
  fc.oneof(
    fc
      .tuple(id, within, fc.constantFrom<'asc' | 'desc'>('asc', 'desc'))
      .map(([alias, own, direction]) => ({ attributeAlias: alias, direction, ...own })),
    fc.constant({ field: 'updatedAt' as const, direction: 'desc' as const }),
  ),
  { maxLength: 3, selector: (key) => JSON.stringify(key) },
)
const queries: fc.Arbitrary<RecordsQuery> = fc.record(
  {
    schemaId: fc.constantFrom('', 'tea'),
    states: ids,
    categories: fc.uniqueArray(fc.oneof(id, fc.constant('none')), { maxLength: 3 }),
    text: fc.constantFrom('', 'green tea', 'a,b&c=d'),
    missing: fc.oneof<fc.Arbitrary<string[]>[]>(ids, fc.constant(['*'])),
    where: fc.array(criterion, { maxLength: 3 }),
    variants: fc.constantFrom('hidden', 'shown', 'alone'),
    sort,
  },
  { noNullPrototype: true },
)

const attribute = (alias: string, dataType: Attribute['dataType'], dimensionIds: string[] = []): Attribute =>
  defineAttribute({
    alias,
    dataType,
    dimensionIds,
    description: '',
    unique: false,
    requiredInStateIds: [],
    guard: null,
    validation: {},
    options: [],
    units: [],
    currencies: [],
  })
const attributes = [
  attribute('name', 'text', ['language']),
  attribute('price', 'price', ['market']),
  attribute('tags', 'multiSelect'),
  attribute('secret', 'text'),
  attribute('sku', 'text'),
]
const source = {
  attributes,
  labelAttribute: 'sku',
  hasImage: false,
  access: (alias: string): 'none' | 'read' | 'write' =>
    alias === 'secret' ? 'none' : alias === 'price' ? 'read' : 'write',
}

describe('the question of the sheet', () => {
  it('is in its address, whole', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const address = Object.entries(writeQuery(query)).filter((member): member is [string, string] => !!member[1])
        const through = Object.fromEntries(new URLSearchParams(new URLSearchParams(address).toString()))
        assert.deepEqual(readQuery(through), query)
      }),
    )
  })

  it('is a search that the service takes', () => {
    fc.assert(
      fc.property(queries, scope, (query, bar) => {
        const { success, issues } = v.safeParse(SelectionInput, toSelection(query, bar))
        assert.ok(success, JSON.stringify(issues))
      }),
    )
  })

  it('reads any address, and leaves out what is none', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('where', 'sort', 'state', 'cols', 'variants'), fc.string()),
        (address) => {
          assert.ok(Array.isArray(readQuery(address).where))
        },
      ),
    )
    const deep = `${'[{"criteriaOperator":"or","criteria":'.repeat(50)}[]${'}]'.repeat(50)}`
    assert.deepEqual(readQuery({ where: deep }).where, [])
    assert.deepEqual(readQuery({ where: '[null,{"operator":1}]' }).where, [])
    const numbers = [{ field: 'completeness', operator: 'between', value: [0, 99] }]
    const written = JSON.stringify([{ criteriaOperator: 'or', criteria: numbers }])
    const texts = [{ ...numbers[0], value: ['0', '99'] }]
    assert.deepEqual(readQuery({ where: written }).where, [{ criteriaOperator: 'or', criteria: texts }])
  })

  it('G7: each chip can be taken away, and then it asks for nothing of it', () => {
    fc.assert(
      fc.property(queries, (query) => {
        let rest = query
        for (let chips = chipsOf(rest); chips.length > 0; chips = chipsOf(rest)) rest = withoutChip(rest, chips[0]!)
        assert.deepEqual(toSelection({ ...rest, variants: 'shown' }, {}).criteria, [])
        assert.equal(removableChips(query).length, chipsOf(query).length + (query.variants === 'shown' ? 0 : 1))
      }),
    )
  })

  it('G9: does not ask for what the role may not see, as if it were unknown', () => {
    const query = readQuery({
      missing: 'secret,name',
      sort: '-secret,name',
      where: JSON.stringify([
        { attributeAlias: 'secret', operator: 'isEmpty' },
        { criteriaOperator: 'or', criteria: [{ attributeAlias: 'secret', operator: 'isEmpty' }] },
        { field: 'completeness', operator: 'gte', value: '50' },
      ]),
    })
    const known = knownQuery(query, (alias) => source.access(alias) !== 'none')
    assert.doesNotMatch(JSON.stringify(known), /secret/)
    assert.deepEqual(known.missing, ['name'])
    assert.equal(known.where.length, 1)
  })
})

describe('groups', () => {
  it('G9: a column that is hidden, unknown or has no few values divides nothing', () => {
    const catalogs = [{ id: 'web', name: 'Web' }]
    const hidden = ['.catalog:other', '.catalog:', '.catalog']
    for (const name of [
      ...hidden,
      'secret',
      'constructor',
      '__proto__',
      'name',
      '.completeness',
      '.image',
      '',
      '@',
      ',,',
    ])
      assert.equal(groupColumn(name, source, catalogs), undefined, name)
    assert.equal(groupColumn('.lifecycleStateId', source, catalogs)?.key, '.lifecycleStateId')
    const columns = groupColumns(source, catalogs)
    assert.deepEqual(
      columns.map(({ key }) => groupColumn(key, source, catalogs)?.key),
      columns.map(({ key }) => key),
    )
  })
})

describe('views', () => {
  it('G10: a view that is saved and opened asks the same question', () => {
    fc.assert(
      fc.property(queries, scope, (query, bar) => {
        const columns = resolveColumns(firstColumns(source), source)
        const group = columns[1]
        const saved = toSavedView({ query, columns, scope: bar, group })
        const read = fromSavedView(saved)
        assert.deepEqual(toSelection(read.query, bar), toSelection(query, bar))
        assert.deepEqual(read.columns, columns.map(toColumn))
        assert.deepEqual(read.scope, bar)
        assert.deepEqual(read.group, group && toColumn(group))
        assert.ok(isSameView(saved, { query: read.query, columns, scope: bar, group }))
      }),
    )
  })

  it('G10: is another one as soon as anything of it is', () => {
    const columns = resolveColumns(firstColumns(source), source)
    const query = readQuery({ schema: 'tea', state: 'a' })
    const group = undefined
    const saved = toSavedView({ query, columns, scope: {}, group })
    assert.ok(!isSameView(saved, { query: { ...query, states: [] }, columns, scope: {}, group }))
    assert.ok(!isSameView(saved, { query, columns: columns.slice(1), scope: {}, group }))
    assert.ok(!isSameView(saved, { query, columns, scope: { language: 'de' }, group }))
    assert.ok(!isSameView(saved, { query, columns, scope: {}, group: columns[0] }))
  })

  it('opens queries that other clients saved: what is no chip is a criterion', () => {
    const criteria: Criterion[] = [
      { attributeAlias: 'name', operator: 'contains', value: 'tea' },
      { attributeAlias: 'sku', operator: 'isEmpty' },
    ]
    const { query } = fromSavedView({ criteria, criteriaOperator: 'or', schemaId: 'tea' })
    assert.deepEqual(query.where, [{ criteriaOperator: 'or', criteria }])
    assert.equal(query.variants, 'shown')
  })
})

describe('columns', () => {
  it('G9: hidden attributes are no columns, nor are those that are unknown', () => {
    const asked = parseColumns('sku,secret,nowhere,name@language:de@market:eu,.completeness,.nowhere,sku')
    const columns = resolveColumns(asked, source)
    assert.equal(writeColumns(columns.map(toColumn)), 'sku,name@language:de,.completeness')
    assert.doesNotMatch(JSON.stringify(firstColumns(source)), /secret/)
  })

  it('begin with what records are called, then the schema in its order', () => {
    assert.deepEqual(
      firstColumns(source).map(({ name }: Column) => name),
      ['sku', 'name', 'price', 'tags', '.lifecycleStateId', '.completeness'],
    )
  })

  it('have the picture beside the label, for a schema that has one', () => {
    const [sku, image] = firstColumns({ ...source, hasImage: true }).map(({ name }: Column) => name)
    assert.deepEqual([sku, image], ['sku', '.image'])
    assert.deepEqual(resolveColumns(parseColumns('.image'), source), [])
  })

  it('G7: sort by the value in the scope that they show, where their values have an order', () => {
    const [name, tags] = resolveColumns(parseColumns('name,tags'), source)
    assert.deepEqual(sortKeyOf(name!, { language: 'de', market: 'eu' }), {
      attributeAlias: 'name',
      direction: 'asc',
      scope: { language: 'de' },
    })
    assert.equal(sortKeyOf(tags!, {}), undefined)
  })
})

describe('filters', () => {
  const filters = fc.record(
    {
      values: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }),
      from: fc.constantFrom('1', '5'),
      to: fc.constantFrom('7', '9'),
      text: fc.constant('tea'),
      presence: fc.constantFrom<'isEmpty' | 'isNotEmpty'>('isEmpty', 'isNotEmpty'),
    },
    { requiredKeys: [], noNullPrototype: true },
  )

  it('G7: are read from the question as they were made, and take nothing from others', () => {
    fc.assert(
      fc.property(queries, filters, scope, (query, filter, own) => {
        const made = withFilter(query, 'colour', own, filter)
        const defined = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
        const read = Object.fromEntries(
          Object.entries(readFilter(made, 'colour', own)).filter(([, value]) => value !== ''),
        )
        assert.deepEqual(read, defined)
        assert.deepEqual(withFilter(made, 'colour', own, {}), query)
      }),
    )
  })

  it('bound the completeness from both sides', () => {
    const query = readQuery({})
    for (const [from, to] of [
      ['50', ''],
      ['', '50'],
      ['20', '50'],
    ] as const)
      assert.deepEqual(readCompleteness(withCompleteness(query, from, to, {})), { from, to })
    assert.deepEqual(withCompleteness(withCompleteness(query, '1', '2', {}), '', '', {}).where, [])
  })
})
