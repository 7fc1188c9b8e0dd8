// Links to product sheets: a reader with the token of a link needs no account. Contract 5 §4.
import * as v from 'valibot'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Owner } from '../../core/accounts/rules/owner.ts'
import { ScopeInput } from '../../core/search/rules/criterion.ts'
import { SelectionInput } from '../../core/search/rules/selection.ts'
import type { Scope } from '../../core/scopes/scope.ts'
import { invalid } from '../../kernel/errors.ts'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { firstDuplicate, Id, listOf, RecordId, textUpTo, wholeNumber } from '../../kernel/input/validation.ts'
import { DEFAULT_HOURS, MAX_HOURS, MAX_RECORDS } from './sheet-limits.ts'
import { LanguageInput } from './sheet-template.ts'

/** Links of one workspace that have not ended, and pages that wait to be opened. */
export const MAX_LINKS = { share: 300, print: 100 } as const
const PRINT_MINUTES = 10
const PURPOSES = ['share', 'print'] as const
type Purpose = (typeof PURPOSES)[number]

/** The content of a sheet, and the records that it shows. */
const CONTENT_MEMBERS = {
  recordIds: v.optional(listOf(RecordId, MAX_RECORDS)),
  query: v.optional(
    v.pipe(SelectionInput, v.description(`A search with at most ${MAX_RECORDS} results, in place of \`recordIds\`.`)),
  ),
  except: v.optional(
    v.pipe(listOf(RecordId, MAX_RECORDS), v.description('Results of the query that the page leaves out.')),
  ),
  templateId: v.optional(
    v.pipe(v.nullable(Id), v.description('Default: label, pictures and all values, in the groups of the schema.')),
    null,
  ),
  language: v.optional(v.nullable(LanguageInput), null),
  scope: v.optional(v.pipe(v.nullable(ScopeInput), v.description('Default: the scope of the template.')), null),
}

export const SheetInput = exactObject(CONTENT_MEMBERS)
export type SheetFields = v.InferOutput<typeof SheetInput>

export const SheetLinkInput = exactObject({
  ...CONTENT_MEMBERS,
  name: v.optional(v.pipe(textUpTo(200), v.description('For the list of links.')), ''),
  purpose: v.optional(
    v.pipe(
      v.picklist(PURPOSES, `must be one of ${PURPOSES.join(', ')}`),
      v.description(
        `share: a link for somebody without an account. print: an address for the caller's browser. It lasts ${PRINT_MINUTES} minutes, and no list has it.`,
      ),
    ),
    'share',
  ),
  hours: v.optional(
    v.pipe(wholeNumber(1, MAX_HOURS), v.description('Hours until the link ends. For `share` only.')),
    DEFAULT_HOURS,
  ),
})
export type SheetLinkFields = v.InferOutput<typeof SheetLinkInput>

/** The content of a page, with its records. */
export interface SheetContent {
  readonly recordIds: readonly string[]
  readonly templateId: string | null
  readonly language: string | null
  readonly scope: Scope | null
}

export interface SheetLink extends SheetContent, Omit<Owner, 'roleId'> {
  readonly id: string
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string
  readonly purpose: Purpose
  readonly name: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly visits: number
  readonly lastVisitAt: string | null
}

/** As clients see it. */
export type SheetLinkView = Omit<SheetLink, 'hash' | 'purpose'>

export function viewOf({ hash: _hash, purpose: _purpose, ...view }: SheetLink): SheetLinkView {
  return view
}

/** The link as the history of changes has it: visits are no changes. */
export function notedLink(link: SheetLink): Omit<SheetLinkView, 'visits' | 'lastVisitAt'> {
  const { visits: _visits, lastVisitAt: _at, ...noted } = viewOf(link)
  return noted
}

/** @throws VALIDATION_ERROR */
export function assertContent({ recordIds, query }: SheetFields): void {
  if ((recordIds === undefined) === (query === undefined))
    throw invalid('Either recordIds or query is required, and not both')
  if (recordIds?.length === 0) throw invalid('recordIds must have at least 1 item')
  const twice = firstDuplicate(recordIds ?? [])
  if (twice !== undefined) throw invalid(`recordIds lists '${twice}' twice`)
}

export function expiryOf({ purpose, hours }: Pick<SheetLinkFields, 'purpose' | 'hours'>, now: Date): string {
  const minutes = purpose === 'print' ? PRINT_MINUTES : hours * 60
  return new Date(now.getTime() + minutes * 60_000).toISOString()
}

export function isOver({ expiresAt }: Pick<SheetLink, 'expiresAt'>, now: Date): boolean {
  return Date.parse(expiresAt) <= now.getTime()
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/
/** Characters of the hash in the ID: enough to find a link, and too few to name its token. */
const ID_DIGITS = 32

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function linkIdOf(hash: string): string {
  return `shl-${hash.slice(0, ID_DIGITS)}`
}

/** The ID and the hash of the link with this token; undefined for a text that is no token. */
export function openToken(token: string): { readonly id: string; readonly hash: string } | undefined {
  if (!TOKEN.test(token)) return undefined
  const hash = hashToken(token)
  return { id: linkIdOf(hash), hash }
}

export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
