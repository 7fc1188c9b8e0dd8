// The workspaces of `twins.ts`: each data type has an attribute that the limited role reads, and one that it does not.
import sharp from 'sharp'
import { PERMISSIONS } from '../../../src/core/accounts/rules/permissions.ts'
import { send } from '../answers.ts'
import type { Client } from '../client.ts'
import { hashOf, uploaded } from '../files.ts'
import { everywhere, make } from '../shirts.ts'
import type { Side, Twins } from './twins.ts'

/**
 * How the hidden values differ: other values, values that only one has, values that were written more often, or values that break rules
 * of today.
 */
export type Flavour = 'values' | 'presence' | 'history' | 'rules'

export const ROLE = 'role-limited'
const REVIEW = ['state-review', 'state-published']
const BY_LANGUAGE = { dimensionIds: ['language'] }
const BY_BOTH = { dimensionIds: ['language', 'market'] }
const OPTIONS = { options: [{ id: 'red' }, { id: 'blue' }, { id: 'green' }] }
const isOn = (attributeAlias: string) => ({
  guard: { criteriaOperator: 'and', criteria: [{ attributeAlias, operator: 'equals', value: 'true' }] },
})

/** Alias of what is read, alias of what is not, and the definition of both. */
const PAIRS: readonly (readonly [visible: string, hidden: string, dataType: string, more?: object])[] = [
  ['name', 'hName', 'text', { unique: true, requiredInStateIds: REVIEW }],
  ['title', 'hTitle', 'text', BY_LANGUAGE],
  ['note', 'hNote', 'richText', { ...BY_BOTH, requiredInStateIds: ['state-archived'] }],
  ['link', 'hLink', 'url'],
  ['count', 'hCount', 'number', { dimensionIds: ['market'], validation: { min: 0 } }],
  ['flag', 'hFlag', 'boolean'],
  ['day', 'hDay', 'date'],
  ['at', 'hAt', 'dateTime'],
  ['color', 'hColor', 'select', OPTIONS],
  ['tags', 'hTags', 'multiSelect', OPTIONS],
  ['price', 'hPrice', 'price', { currencies: ['EUR', 'USD'] }],
  ['weight', 'hWeight', 'measurement', { units: ['g', 'kg'] }],
  ['friend', 'hFriend', 'reference'],
  ['friends', 'hFriends', 'references'],
  ['pictures', 'hPictures', 'references', { validation: { schemaId: 'sch-p' } }],
  ['extra', 'hExtra', 'json'],
  ['file', 'hFile', 'file'],
  ['toString', 'constructor', 'text'],
]
/** Attributes beside the pairs: read, with a guard that is not, and the other way round. */
const GUARDED = [
  { alias: 'guarded', dataType: 'text', requiredInStateIds: REVIEW, ...isOn('hFlag') },
  { alias: 'hGuarded', dataType: 'text', requiredInStateIds: ['state-archived'], ...isOn('flag') },
  { alias: 'lifecycleState', dataType: 'text' },
]
export const VISIBLE = [...PAIRS.map(([alias]) => alias), 'guarded']
export const HIDDEN = [...PAIRS.map(([, alias]) => alias), 'hGuarded', 'lifecycleState']
/** Texts of the files that are hidden. */
const FILES = ['a hidden file', 'another hidden file'] as const

/** Requests name the files of both sides. */
export async function keepDigests(twins: Twins): Promise<void> {
  for (const { kept } of twins) {
    for (const [n, text] of FILES.entries()) kept.set(`file${n}`, hashOf(text))
    for (const n of [0, 1, 2] as const) kept.set(`picture${n}`, hashOf(await picture(n)))
  }
}

const define = (side: 0 | 1) =>
  PAIRS.map(([visible, hidden, dataType, more]) => ({ alias: [visible, hidden][side], dataType, ...more }))
export const SCHEMA = {
  id: 'sch-a',
  name: 'A',
  workflowId: 'wf-default',
  labelAttribute: 'hName',
  imageAttribute: 'hPictures',
  variantAttributes: ['title', 'hTitle'],
  groups: [{ id: 'g', name: 'G', attributeAliases: ['name', 'hName'] }],
  attributes: [...define(0), ...define(1), ...GUARDED],
}
const OTHERS = [
  {
    id: 'sch-p',
    name: 'Pictures',
    imageAttribute: 'content',
    labelAttribute: 'alt',
    attributes: [
      { alias: 'alt', dataType: 'text', ...BY_LANGUAGE },
      { alias: 'content', dataType: 'file' },
      { alias: 'open', dataType: 'file' },
      { alias: 'focus', dataType: 'json' },
    ],
  },
  {
    id: 'sch-b',
    name: 'B',
    imageAttribute: 'pictures',
    labelAttribute: 'name',
    attributes: [
      { alias: 'name', dataType: 'text' },
      { alias: 'hTitle', dataType: 'text' },
      { alias: 'pictures', dataType: 'references', validation: { schemaId: 'sch-p' } },
    ],
  },
  {
    id: 'sch-s',
    name: 'Secret',
    labelAttribute: 'all',
    attributes: [{ alias: 'all', dataType: 'text', unique: true }],
  },
]

const none = (aliases: readonly string[]) => Object.fromEntries(aliases.map((alias) => [alias, 'none']))
const ROLE_BODY = {
  id: ROLE,
  name: 'Limited',
  defaultAttributePermission: 'write',
  attributePermissions: {
    'sch-a': { ...none(HIDDEN), link: 'read' },
    'sch-p': none(['content', 'focus']),
    'sch-b': none([]),
    'sch-s': none(['all']),
  },
}
/** All that a role may have but what tells of the process. */
export const ALL_PERMISSIONS = PERMISSIONS.filter((permission) => permission !== 'metrics.read')

const pick = <Item>(items: readonly Item[], n: number): Item => items[n % items.length]!

export function visibleValues(n: number): Record<string, object[]> {
  return {
    name: everywhere(`open ${n}`),
    title: [
      { scope: { language: 'en' }, value: pick(['Alpha', 'alpha beta', 'Gamma'], n) },
      { scope: { language: 'de' }, value: pick(['Größe', 'STRASSE'], n) },
    ],
    ...(n % 3 === 0 ? {} : { note: everywhere(`<p>Bold ${n}</p>`) }),
    count: [{ scope: { market: 'eu' }, value: n }],
    flag: everywhere(n % 2 === 0),
    day: everywhere(`2026-01-0${1 + (n % 9)}`),
    color: everywhere(pick(['red', 'blue'], n)),
    tags: everywhere(['red', 'green'].slice(n % 2)),
    price: everywhere({ amount: n, currency: 'EUR' }),
    ...(n % 2 === 0 ? { friend: everywhere(`r-${(n + 1) % 6}`) } : {}),
    pictures: everywhere([`p-${n % 3}`]),
    // Required where its guard holds, which depends on what is hidden.
    ...(n % 3 === 1 ? {} : { guarded: everywhere(`guarded ${n}`) }),
  }
}

/** `turn` tells earlier values from later ones. */
export function hiddenValues(
  side: Side,
  flavour: Flavour,
  n: number,
  file: object,
  turn = 0,
): Record<string, object[]> {
  const m = n + turn + 7 * side
  const scope = pick([{ language: 'de' }, { language: 'en' }], side)
  const values = {
    hName: everywhere(`${['stored', 'otherwise kept'][side]} ${n} ${turn}`),
    hTitle: [{ scope, value: pick(['Alpha', 'alpha beta', 'Größe', 'a much longer text that is kept'], m) }],
    hNote: [{ scope: {}, value: pick(['<p>Bold</p>', 'x'.repeat(500)], m) }],
    hLink: everywhere(`https://${['a', 'other'][side]}.example/${m}`),
    hCount: [{ scope: { market: pick(['eu', 'us'], m) }, value: side === 0 ? n : 100 - n }],
    hFlag: everywhere(m % 2 === 0),
    hDay: everywhere(`2026-02-0${1 + (m % 9)}`),
    hAt: everywhere(`2026-02-0${1 + (m % 9)}T00:00:00.000Z`),
    hColor: everywhere(pick(['red', 'blue', 'green'], m)),
    hTags: everywhere(pick([['red'], ['blue', 'green'], ['green']], m)),
    hPrice: everywhere({ amount: m * 10, currency: pick(['EUR', 'USD'], m) }),
    hWeight: everywhere({ amount: m, unit: pick(['g', 'kg'], m) }),
    hFriend: everywhere(`r-${m % 6}`),
    hFriends: everywhere(['r-0', 'r-1', 'r-2'].toSorted((a, b) => (side === 0 ? 1 : -1) * a.localeCompare(b))),
    hPictures: everywhere(side === 0 ? ['p-0', 'p-1'] : ['p-1', 'p-0']),
    hExtra: everywhere({ side, m }),
    hFile: everywhere(file),
    constructor: everywhere(`${m}`),
    hGuarded: everywhere(`${m}`),
    lifecycleState: everywhere(pick(['state-draft', 'state-review'], m)),
  }
  if (flavour !== 'presence') return values
  // What gates and lists of references tell by the contract is the same.
  const always = ['hName', 'hFriends', 'hPictures']
  const isKept = ([alias]: [string, unknown], index: number) =>
    always.includes(alias) || (index + n + turn) % 2 === side
  return Object.fromEntries(Object.entries(values).filter(isKept))
}

/** Pictures: one that is hidden at each side, and one that is not. */
const SIZES = [
  [40, 20],
  [300, 500],
  [60, 20],
] as const

/** Grey that becomes lighter to the right, so that each part is another one. */
async function picture(n: 0 | 1 | 2): Promise<Buffer> {
  const [width, height] = SIZES[n]
  const bytes = Buffer.from(Array.from({ length: width * height * 3 }, (_, at) => ((at / 3) % width) * (255 / width)))
  return sharp(bytes, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

/** Makes the model, the role, and the records with their history. */
export async function fillTwin(admin: Client, side: Side, flavour: Flavour): Promise<void> {
  await make(admin, '/api/v1/dimensions', { id: 'language', name: 'L', segments: [{ id: 'en' }, { id: 'de' }] })
  await make(admin, '/api/v1/dimensions', { id: 'market', name: 'M', segments: [{ id: 'eu' }, { id: 'us' }] })
  // The workflow names the role, and the role names attributes.
  await make(admin, '/api/v1/roles', { id: ROLE, name: 'Limited', permissions: [] })
  await defineStates(admin)
  for (const schema of [OTHERS[0]!, SCHEMA, ...OTHERS.slice(1)]) await make(admin, '/api/v1/schemas', schema)
  await succeed(admin, 'PUT', `/api/v1/roles/${ROLE}`, { ...ROLE_BODY, permissions: ALL_PERMISSIONS })
  await make(admin, '/api/v1/catalogs', { id: 'cat-1', name: 'C' })
  for (const id of ['c-0', 'c-1']) await make(admin, '/api/v1/catalogs/cat-1/categories', { id, name: id })
  const content = await uploaded(admin, await picture(side), pick(['red.png', 'another name.png'], side))
  const file = await uploaded(admin, FILES[side], pick(['x.txt', 'longer.csv'], side))
  const open = await uploaded(admin, await picture(2), 'open.png')
  const focus = everywhere({ x: side, y: 0.5 })
  await make(admin, '/api/v1/rendition-presets', {
    id: 'crop',
    width: 20,
    height: 20,
    fit: 'cover',
    format: 'png',
    focus: 'focus',
  })
  for (const n of [0, 1, 2]) {
    const isThere = flavour !== 'presence' || (n + side) % 2 === 0
    const values = {
      alt: everywhere(`alt ${n}`),
      open: everywhere(open),
      focus,
      ...(isThere ? { content: everywhere(content) } : {}),
    }
    await make(admin, '/api/v1/records', { id: `p-${n}`, schemaId: 'sch-p', values })
    await make(admin, '/api/v1/records', {
      id: `s-${n}`,
      schemaId: 'sch-s',
      values: { all: everywhere(`${side} ${n}`) },
    })
  }
  await fillRecords(admin, side, flavour, file)
}

async function defineStates(admin: Client): Promise<void> {
  const { body: workflow } = await send<{ states: object[]; transitions: object[] }>(
    admin,
    'GET',
    '/api/v1/workflows/wf-default',
  )
  const transition = (id: string, fromStateId: string, toStateId: string, requiresCompleteness: boolean) => ({
    id,
    name: id,
    fromStateId,
    toStateId,
    allowedRoleIds: ['role-admin', ROLE],
    requiresCompleteness,
  })
  const states = [...workflow.states, { id: 'state-archived', name: 'Archived' }]
  const transitions = [
    transition('tr-in', 'state-draft', 'state-review', false),
    transition('tr-out', 'state-review', 'state-draft', false),
    transition('tr-gate', 'state-draft', 'state-published', true),
    transition('tr-on', 'state-review', 'state-published', true),
    ...workflow.transitions,
  ]
  await succeed(admin, 'PUT', '/api/v1/workflows/wf-default', { ...workflow, states, transitions })
}

async function fillRecords(admin: Client, side: Side, flavour: Flavour, file: object): Promise<void> {
  const post = (body: object) => make(admin, '/api/v1/records', body)
  for (const n of Array(8).keys()) {
    const isVariant = n > 5
    const values = { ...visibleValues(n), ...hiddenValues(side, flavour, n, file) }
    if (isVariant) for (const alias of ['hTitle', 'hPrice', 'title', 'friend']) Reflect.deleteProperty(values, alias)
    for (const alias of ['friend', 'hFriend', 'hFriends']) if (n < 6) Reflect.deleteProperty(values, alias)
    await post({
      id: isVariant ? `v-${n}` : `r-${n}`,
      schemaId: 'sch-a',
      ...(isVariant ? { parentId: 'r-0' } : {}),
      values,
    })
  }
  for (const n of Array(6).keys()) {
    const { friend } = visibleValues(n)
    const values = { ...(friend === undefined ? {} : { friend }), ...hiddenValues(side, flavour, n, file, 2) }
    await change(admin, `r-${n}`, values)
    if (flavour === 'history' && side === 1)
      for (const turn of [4, 6]) await change(admin, `r-${n}`, hiddenValues(side, flavour, n, file, turn))
    await change(admin, `r-${n}`, { title: [{ scope: {}, value: `all ${n}` }] })
    await succeed(admin, 'PUT', `/api/v1/records/r-${n}/categories`, [{ categoryId: `c-${n % 2}` }])
    await post({
      id: `b-${n}`,
      schemaId: 'sch-b',
      values: { name: everywhere(`b ${n}`), pictures: everywhere([`p-${n % 3}`]) },
    })
  }
  for (const n of [20, 21]) {
    const values = { ...visibleValues(n), ...hiddenValues(side, flavour, n, file) }
    await post({ id: `d-${n}`, schemaId: 'sch-a', values })
    await succeed(admin, 'DELETE', `/api/v1/records/d-${n}`)
  }
}

function change(admin: Client, id: string, values: object): Promise<void> {
  return succeed(admin, 'PATCH', `/api/v1/records/${id}`, { values })
}

async function succeed(admin: Client, method: string, path: string, body?: unknown): Promise<void> {
  const { status, text } = await send(admin, method, path, body)
  if (status >= 300) throw new Error(`${method} ${path}: ${text}`)
}
