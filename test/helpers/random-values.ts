// Values, criteria and models drawn from a seed, of the workspace that `random-operations.ts` asks about.

import { FIELD_NAMES, fieldOf } from '../../src/core/search/rules/fields.ts'
import {
  ALIASES,
  ANY,
  BOTH,
  DAYS,
  LANGUAGE,
  MOMENTS,
  NONE,
  ODD_TEXTS,
  OF_B,
  OPERATORS,
  TEXTS,
  language,
  COMBINATIONS,
  market,
  REVIEWED,
  schemaA,
  schemaB,
  workflowB,
} from './random-model.ts'

export interface Draw {
  /** Returns a number from 0 to 1. */
  number(): number
  /** Returns a whole number below `end`. */
  whole(end: number): number
  chance(probability: number): boolean
  one<Item>(items: readonly Item[]): Item
  some<Item>(items: readonly Item[], most: number): Item[]
  times<Item>(most: number, make: () => Item): Item[]
  maybe<Members extends object>(probability: number, members: Members): Members | object
  text(): string
  name(): string
  alias(schemaId: string): string
  scoped(alias: string, schemaId: string): object[]
  values(schemaId: string): object
  criterion(
    schemaId: string,
    categories: readonly string[],
    catalogs: readonly string[],
    records: readonly string[],
  ): object
  sort(): object
  /** Returns some sort keys, two of which may be equal. */
  sorts(): object[]
  facet(): object
  schema(): object
  schemaB(): object
  workflow(): object
  language(): object
  market(): object
}

/** Mulberry32, a small generator with the same results everywhere. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function drawer(seed: number): Draw {
  const number = numbersFrom(seed)
  const whole = (end: number): number => Math.floor(number() * end)
  const chance = (probability: number): boolean => number() < probability
  const one = <Item>(items: readonly Item[]): Item => items[whole(items.length)]!
  const times = <Item>(most: number, make: () => Item): Item[] => Array.from({ length: whole(most + 1) }, make)
  const some = <Item>(items: readonly Item[], most: number): Item[] => [...new Set(times(most, () => one(items)))]
  const maybe = <Members extends object>(probability: number, members: Members) => (chance(probability) ? members : {})
  const text = (): string => (chance(0.03) ? one(ODD_TEXTS) : one(TEXTS))

  const valueOf: Readonly<Record<string, () => unknown>> = {
    code: () => `C-${whole(25)}`,
    slug: () => one(['alpha', 'beta', 'gamma', 'delta', `s-${whole(30)}`]),
    count: () => one([0, 1, 2.5, 7, 42, 99.99, 100]),
    price: () => ({ amount: one([1, 2.5, 10, 99.9]), currency: one(['EUR', 'USD']) }),
    weight: () => ({ amount: one([1, 1000, 0.5]), unit: one(['g', 'kg']) }),
    day: () => one(DAYS),
    at: () => one(MOMENTS),
    flag: () => chance(0.5),
    color: () => one(['red', 'green', 'blue', '']),
    size: () => one(['s', 'm', 'l']),
    tags: () => some(['new', 'sale', 'old'], 3),
    marks: () => some(['new', 'sale', 'old'], 3),
    link: () => one(['https://a.example/x?y=1', 'http://b.example']),
    friend: () => `r-${whole(6)}`,
    friends: () => [...new Set(times(3, () => `r-${whole(6)}`))],
    extra: () => one<unknown>([{ a: [1, null, 'ß'] }, [1, 2], 'text', 0, { constructor: 1 }, 1e300]),
  }
  const scoped = (alias: string, schemaId: string): object[] => {
    const scopes = (schemaId === 'sch-b' ? OF_B : ALIASES)[alias] ?? NONE
    return some(scopes, 2).map((scope) => ({
      scope: chance(0.005) ? { nowhere: 'x' } : scope,
      value: chance(0.01)
        ? one([null, 5, -3, 1e21, 'x', [], '2026-02-30', { amount: 1, currency: 'GBP' }])
        : (valueOf[alias] ?? text)(),
    }))
  }
  const aliases = (schemaId: string): string[] => Object.keys(schemaId === 'sch-b' ? OF_B : ALIASES)
  const alias = (schemaId: string): string => (chance(0.005) ? 'unknown' : one(aliases(schemaId)))
  const values = (schemaId: string): object =>
    Object.fromEntries(times(5, () => alias(schemaId)).map((name) => [name, scoped(name, schemaId)]))

  const operandOf = (name: string): unknown => {
    const value = (valueOf[name] ?? text)()
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && 'amount' in value)
      return String(value.amount)
    if (Array.isArray(value)) return value[0] ?? 'new'
    return typeof value === 'object' ? 'a' : `${value as string | number | boolean}`
  }
  const attributeCriterion = (schemaId: string): object => {
    const name = alias(schemaId)
    const operator = chance(0.02) ? 'gt' : one(OPERATORS[name] ?? ANY)
    const isListed = ['in', 'notIn', 'between'].includes(operator)
    const value = operator.startsWith('is')
      ? {}
      : isListed
        ? { value: [operandOf(name), operandOf(name)] }
        : { value: operandOf(name) }
    return { attributeAlias: name, operator, ...value, ...maybe(0.4, { scope: one(ALIASES[name] ?? LANGUAGE) }) }
  }
  const fieldCriterion = (
    categories: readonly string[],
    catalogs: readonly string[],
    records: readonly string[],
  ): object => {
    const field = one(FIELD_NAMES)
    const operands: Record<string, readonly unknown[]> = {
      id: records,
      parentId: records,
      schemaId: ['sch-a', 'sch-b', 'sch-none'],
      lifecycleStateId: ['state-draft', 'state-review', 'state-published', 'new', 'done', 'held'],
      createdBy: ['usr-admin', 'nobody'],
      updatedBy: ['usr-admin', 'nobody'],
      categoryId: categories,
      catalogId: catalogs,
      createdAt: MOMENTS,
      updatedAt: MOMENTS,
      completeness: [0, 50, 100, 33],
      missing: ['name', 'note', 'count'],
    }
    const operator: string = chance(0.02) ? 'contains' : one(fieldOf({ field }).operators)
    const operand = (): unknown => one(operands[field] ?? ['x'])
    const value = operator.startsWith('is')
      ? {}
      : ['in', 'notIn', 'between'].includes(operator)
        ? { value: [operand(), operand()] }
        : { value: operand() }
    const more = field === 'categoryId' ? maybe(0.4, { includeChildren: true }) : {}
    const state = ['completeness', 'missing'].includes(field)
      ? maybe(0.5, { stateId: one(['state-review', 'state-published', 'done']), scope: one(BOTH) })
      : {}
    return { field, operator, ...value, ...more, ...state }
  }
  const criterion: Draw['criterion'] = (schemaId, ...known) => {
    if (chance(0.12))
      return {
        criteriaOperator: one(['and', 'or']),
        criteria: [attributeCriterion(schemaId), fieldCriterion(...known)],
        ...maybe(0.3, { not: true }),
      }
    return chance(0.65) ? attributeCriterion(schemaId) : fieldCriterion(...known)
  }

  const sort = (): object =>
    chance(0.3)
      ? {
          field: one(['id', 'createdAt', 'updatedAt', 'completeness', 'lifecycleStateId']),
          direction: one(['asc', 'desc']),
        }
      : {
          attributeAlias: one(['name', 'count', 'code', 'price', 'day', 'flag', 'color', 'title', 'weight', 'at']),
          direction: one(['asc', 'desc']),
          ...maybe(0.4, { scope: one(BOTH) }),
        }

  return {
    number,
    whole,
    chance,
    one,
    some,
    times,
    maybe,
    text,
    alias,
    scoped,
    values,
    criterion,
    name: () => one(TEXTS.filter((candidate) => candidate.trim() !== '' && candidate.length < 100)),
    sort,
    sorts: () => {
      const keys = times(2, sort)
      return chance(0.25) && keys.length > 0 ? [...keys, { ...one(keys), direction: one(['asc', 'desc']) }] : keys
    },
    facet: () =>
      chance(0.4)
        ? { field: one(['lifecycleStateId', 'schemaId', 'categoryId', 'createdBy', 'completeness']) }
        : {
            attributeAlias: one(['color', 'tags', 'count', 'flag', 'price', 'day', 'size', 'weight']),
            ...maybe(0.3, { scope: one(LANGUAGE) }),
          },
    schema: () =>
      schemaA({
        isSlugUnique: chance(0.7),
        hasExtra: chance(0.8),
        most: one([100, 100, 50]),
        colors: some(['red', 'green', 'blue'], 5),
        tags: one(['tags', 'tags', 'marks']),
        nameIn: one([REVIEWED, REVIEWED, ['state-published'], []]),
        combinations: one([COMBINATIONS, COMBINATIONS, [{ language: 'en' }], []]),
      }),
    schemaB: () =>
      schemaB({
        isTitleUnique: chance(0.2),
        hasSize: chance(0.7),
        isCounted: chance(0.8),
        workflowId: one(['wf-b', 'wf-b', 'wf-default']),
        titleIn: one([['done'], [], ['done', 'new']]),
      }),
    workflow: () => workflowB({ hasHeld: chance(0.5), isGated: chance(0.5), isTurned: chance(0.3) }),
    language: () => language(chance(0.5) ? ['en', 'de', 'fr'] : ['en', 'de']),
    market: () => market(chance(0.7) ? ['eu', 'us'] : ['us', 'eu', 'uk']),
  }
}
