// Bodies drawn from a seed, for `random-operations.ts`.
import type { Draw } from './random-values.ts'

export const RECORDS = Array.from({ length: 30 }, (_, index) => `r-${index}`)
export const CATEGORIES = Array.from({ length: 12 }, (_, index) => `c-${index}`)
export const CATALOGS = ['cat-a', 'cat-b']
export const QUERIES = ['q-0', 'q-1', 'q-2']
export const SCHEMAS = ['sch-a', 'sch-b']
export const TRANSITIONS = [
  ...Array<string>(2).fill('tr-submit'),
  ...Array<string>(2).fill('finish'),
  'tr-publish',
  'tr-send-back',
  'tr-unpublish',
  'reopen',
  'hold',
  'release',
  'tr-none',
]

export const INCLUDES = [
  'completeness',
  'effectiveValues',
  'categories',
  'variantCount',
  'version',
  'completeness,categories',
  'nonsense',
]

export const places = (draw: Draw) =>
  draw.some(CATEGORIES, 3).map((categoryId) => ({ categoryId, ...draw.maybe(0.5, { sortOrder: draw.whole(5) / 2 }) }))
export const query = (members: object): string =>
  `?${new URLSearchParams(Object.entries(members).map(([name, value]): [string, string] => [name, String(value)])).toString()}`

export function newRecord(draw: Draw): object {
  const schemaId = draw.one(['sch-a', 'sch-a', 'sch-b'])
  return {
    ...draw.maybe(0.95, { id: draw.one(RECORDS) }),
    schemaId,
    ...draw.maybe(0.2, { parentId: draw.one([...RECORDS.slice(0, 10), null]) }),
    values: draw.values(schemaId),
  }
}

export function selection(draw: Draw): Record<string, unknown> {
  const schemaId = draw.one(['sch-a', 'sch-a', 'sch-b'])
  return {
    ...draw.maybe(0.7, { schemaId }),
    criteria: draw.times(3, () => draw.criterion(schemaId, CATEGORIES, CATALOGS, RECORDS)),
    criteriaOperator: draw.one(['and', 'or']),
    ...draw.maybe(0.25, { text: draw.text(), textMode: draw.one(['phrase', 'words']) }),
  }
}

export function page(draw: Draw): object {
  return { ...draw.maybe(0.7, { limit: 1 + draw.whole(7) }), ...draw.maybe(0.2, { offset: draw.whole(6) }) }
}

export function action(draw: Draw): object {
  return draw.one<() => object>([
    () => ({ setValues: draw.values('sch-a') }),
    () => ({ patchValues: draw.values('sch-a') }),
    () => ({ clearValues: { attributeAliases: draw.some(['name', 'count', 'note', 'slug'], 2) } }),
    () => ({
      replaceText: {
        attributeAlias: draw.one(['name', 'note']),
        find: draw.one(['a', 'Alpha', 'ß']),
        replace: draw.text(),
      },
    }),
    () => ({ copyScope: { from: { language: 'en' }, to: { language: 'de' }, onlyEmpty: draw.chance(0.5) } }),
    () => ({ transition: draw.one(TRANSITIONS) }),
    () => ({ setCategories: places(draw) }),
    () => ({ addCategories: places(draw) }),
    () => ({ removeCategories: draw.some(CATEGORIES, 2) }),
    () => ({ delete: true }),
  ])()
}

/** Draws a step of a batch. */
export function drawStep(draw: Draw): object {
  const id = draw.one(RECORDS)
  return draw.one<() => object>([
    () => ({ op: 'create', ...newRecord(draw) }),
    () => ({ op: 'update', id, values: draw.values('sch-a') }),
    () => ({ op: 'patch', id, values: draw.values('sch-a'), ...draw.maybe(0.2, { ifMatch: draw.whole(100) }) }),
    () => ({ op: 'delete', id }),
    () => ({ op: 'transition', id, transitionId: draw.one(TRANSITIONS) }),
    () => ({ op: 'setCategories', id, categories: places(draw) }),
    () => ({ op: 'addCategories', id, categories: places(draw) }),
    () => ({ op: 'removeCategories', id, categories: draw.some(CATEGORIES, 2) }),
  ])()
}
