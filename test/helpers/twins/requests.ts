// Parts of requests that the limited callers of `twins.ts` send.
import { everywhere } from '../shirts.ts'
import type { Request } from './twins.ts'
import { hiddenValues } from './workspace.ts'

export const post = (path: string, body?: unknown, more: object = {}): Request => ({
  method: 'POST',
  path: `/api/v1${path}`,
  body,
  ...more,
})
export const put = (path: string, body?: unknown, more: object = {}): Request => ({
  method: 'PUT',
  path: `/api/v1${path}`,
  body,
  ...more,
})
export const patch = (path: string, body?: unknown, more: object = {}): Request => ({
  method: 'PATCH',
  path: `/api/v1${path}`,
  body,
  ...more,
})
export const remove = (path: string, more: object = {}): Request => ({
  method: 'DELETE',
  path: `/api/v1${path}`,
  ...more,
})
export const get = (path: string): Request => ({ method: 'GET', path: `/api/v1${path}` })

/** An operand that fits the attribute, by its alias without the prefix. */
const OPERANDS: Readonly<Record<string, string>> = {
  name: 'stored 0 2',
  title: 'Alpha',
  note: 'Bold',
  link: 'a',
  count: '3',
  flag: 'true',
  day: '2026-02-02',
  at: '2026-02-02T00:00:00.000Z',
  color: 'red',
  tags: 'red',
  price: '10',
  weight: '1',
  friend: 'r-1',
  friends: 'r-1',
  pictures: 'p-0',
  extra: 'a',
  file: 'x.txt',
  guarded: 'guarded 1',
}
const stem = (alias: string): string => (/^h[A-Z]/.test(alias) ? alias[1]!.toLowerCase() + alias.slice(2) : alias)
const operandOf = (alias: string): string => Object.entries(OPERANDS).find(([name]) => name === stem(alias))?.[1] ?? '3'

export function criterion(attributeAlias: string, operator: string, more: object = {}): object {
  const one = operandOf(attributeAlias)
  const value = operator.startsWith('is')
    ? {}
    : { value: operator === 'between' ? [one, one] : ['in', 'notIn'].includes(operator) ? [one, 'x'] : one }
  return { attributeAlias, operator, ...value, ...more }
}
export const all = { criteria: [] as object[], criteriaOperator: 'and', schemaId: 'sch-a' }
export const by = (...criteria: object[]) => ({ ...all, criteria })

export const CSV = { 'content-type': 'text/csv' }
export const NDJSON = { 'content-type': 'application/x-ndjson' }
export const line = (...items: object[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('')

/** What one of the two stores there: a guess that is right at one side. */
const STORED = hiddenValues(0, 'values', 0, { sha256: '$file0', fileName: 'x.txt' }, 2)
export const value = (alias: string): object[] => {
  if (Object.hasOwn(STORED, alias)) return STORED[alias]!
  const one = operandOf(alias)
  const of: Readonly<Record<string, unknown>> = {
    count: 3,
    flag: true,
    tags: ['red'],
    price: { amount: 10, currency: 'EUR' },
    weight: { amount: 1, unit: 'g' },
    friends: ['r-0', 'r-1', 'r-2'],
    pictures: ['p-0', 'p-1'],
    extra: { side: 0, m: 3 },
    file: { sha256: '$file0', fileName: 'x.txt' },
  }
  return everywhere(Object.hasOwn(of, stem(alias)) ? of[stem(alias)] : one)
}
