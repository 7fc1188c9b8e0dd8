// The workspace that `random-operations.ts` asks about: its model, which changes now and then, and what its values are drawn from.

export const TEXTS = [
  'Alpha',
  'alpha beta',
  'Größe',
  'STRASSE',
  'straße',
  'a%b_c',
  "it's",
  '日本語',
  '10',
  '9',
  'ж手',
  'İ',
  'e\u0301',
  ' x ',
  '',

  '\ud83d\ude00 smile',
  '"quoted"',
  'back\\slash',
  '[]',
  '<p>Bold &amp; long</p>',
  'ab',
  'Beta',
  'beta gamma delta',
  'x'.repeat(300),
]
export const ODD_TEXTS = ['a\u0000b', '\ud800', '\u0000', '\ufdd0x', '\ufffd', 'tail\udc00']

type Scoping = readonly object[]
export const NONE: Scoping = [{}]
export const LANGUAGE: Scoping = [{}, { language: 'en' }, { language: 'de' }, { language: 'fr' }]
const MARKET: Scoping = [{}, { market: 'eu' }, { market: 'us' }]
export const BOTH: Scoping = [
  ...LANGUAGE,
  ...MARKET.slice(1),
  { language: 'en', market: 'us' },
  { language: 'de', market: 'eu' },
]

export const ALIASES: Readonly<Record<string, Scoping>> = {
  name: LANGUAGE,
  code: NONE,
  slug: LANGUAGE,
  note: BOTH,
  count: MARKET,
  price: MARKET,
  weight: NONE,
  day: NONE,
  at: NONE,
  flag: NONE,
  color: LANGUAGE,
  tags: NONE,
  link: NONE,
  friend: NONE,
  friends: NONE,
  extra: NONE,
}
export const OF_B: Readonly<Record<string, Scoping>> = { title: LANGUAGE, count: NONE, code: NONE, size: NONE }
export const ANY = ['equals', 'notEquals', 'in', 'notIn', 'isEmpty', 'isNotEmpty']
const OF_TEXT = [...ANY, 'contains', 'contains', 'startsWith']
const ORDERED = [...ANY, 'gt', 'lt', 'gte', 'lte', 'between']
export const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  name: OF_TEXT,
  code: OF_TEXT,
  slug: OF_TEXT,
  note: OF_TEXT,
  link: OF_TEXT,
  title: OF_TEXT,
  count: ORDERED,
  price: ORDERED,
  day: ORDERED,
  at: ORDERED,
}
export const DAYS = ['2026-01-02', '2026-03-01', '2025-12-31']
export const MOMENTS = ['2026-01-01T00:01:00.000Z', '2026-01-01T00:10:00.000Z', '2026-01-01T01:00:00+01:00']

export function language(ids: readonly string[]): object {
  return { id: 'language', name: 'Language', segments: ids.map((id) => ({ id, name: id.toUpperCase() })) }
}

export function market(ids: readonly string[]): object {
  return { id: 'market', name: 'Market', segments: ids.map((id) => ({ id, name: id })) }
}

export const REVIEWED = ['state-review', 'state-published']
export const COMBINATIONS: readonly object[] = [{ language: 'en' }, { language: 'de', market: 'eu' }]

interface VariableA {
  readonly isSlugUnique: boolean
  readonly hasExtra: boolean
  readonly most: number
  readonly colors: readonly string[]
  readonly tags: string
  readonly nameIn: readonly string[]
  readonly combinations: readonly object[]
}

interface VariableB {
  readonly isTitleUnique: boolean
  readonly hasSize: boolean
  readonly isCounted: boolean
  readonly workflowId: string
  readonly titleIn: readonly string[]
}

/** Returns the workflow of `sch-b`. */
export function workflowB({ hasHeld, isGated, isTurned }: Record<'hasHeld' | 'isGated' | 'isTurned', boolean>): object {
  const states = ['new', 'done', ...(hasHeld ? ['held'] : [])].map((id) => ({ id }))
  const transition = (id: string, fromStateId: string, toStateId: string, requiresCompleteness = false) => ({
    id,
    fromStateId,
    toStateId,
    allowedRoleIds: ['role-admin'],
    requiresCompleteness,
  })
  return {
    id: 'wf-b',
    name: 'B',
    initialStateId: 'new',
    states: isTurned ? states.toReversed() : states,
    transitions: [
      transition('finish', 'new', 'done', isGated),
      transition('reopen', 'done', 'new'),
      ...(hasHeld ? [transition('hold', 'new', 'held'), transition('release', 'held', 'new')] : []),
    ],
  }
}

export function schemaB({ isTitleUnique, hasSize, isCounted, workflowId, titleIn }: VariableB): object {
  return {
    id: 'sch-b',
    name: 'B',
    workflowId,
    attributes: [
      {
        alias: 'title',
        dataType: 'text',
        dimensionIds: ['language'],
        unique: isTitleUnique,
        requiredInStateIds: workflowId === 'wf-b' ? titleIn : [],
      },
      { alias: 'count', dataType: isCounted ? 'number' : 'text' },
      { alias: 'code', dataType: 'text', unique: true },
      ...(hasSize ? [{ alias: 'size', dataType: 'select', options: [{ id: 's' }, { id: 'm' }, { id: 'l' }] }] : []),
    ],
  }
}

export function schemaA({ isSlugUnique, hasExtra, most, colors, tags, nameIn, combinations }: VariableA): object {
  const review = REVIEWED
  return {
    id: 'sch-a',
    name: 'A',
    combinations,
    attributes: [
      { alias: 'name', dataType: 'text', dimensionIds: ['language'], requiredInStateIds: nameIn },
      { alias: 'code', dataType: 'text', unique: true, validation: { pattern: '^C-[0-9]+$' } },
      { alias: 'slug', dataType: 'text', unique: isSlugUnique, dimensionIds: ['language'] },
      {
        alias: 'note',
        dataType: 'richText',
        dimensionIds: ['language', 'market'],
        requiredInStateIds: ['state-published'],
      },
      {
        alias: 'count',
        dataType: 'number',
        dimensionIds: ['market'],
        validation: { min: 0, max: most },
        requiredInStateIds: review,
      },
      { alias: 'price', dataType: 'price', dimensionIds: ['market'], currencies: ['EUR', 'USD'] },
      { alias: 'weight', dataType: 'measurement', units: ['g', 'kg'] },
      { alias: 'day', dataType: 'date' },
      { alias: 'at', dataType: 'dateTime' },
      { alias: 'flag', dataType: 'boolean' },
      {
        alias: 'color',
        dataType: 'select',
        dimensionIds: ['language'],
        options: (colors.length === 0 ? ['red'] : colors).map((id) => ({ id })),
      },
      { alias: tags, dataType: 'multiSelect', options: [{ id: 'new' }, { id: 'sale' }, { id: 'old' }] },
      { alias: 'link', dataType: 'url' },
      { alias: 'friend', dataType: 'reference' },
      { alias: 'friends', dataType: 'references' },
      ...(hasExtra ? [{ alias: 'extra', dataType: 'json' }] : []),
    ],
  }
}
