// Proposes an attribute for each column of a file. Pure. Contract 5 §1.
import { isCurrency } from '../../../core/values/currencies.ts'
import { MAX_NAME, type OutputOf } from '../../../kernel/input/validation.ts'
import { aliasOf, FreeNames } from './aliases.ts'
import type { ColumnFacts } from './column-facts.ts'
import type { ProposedColumnShape } from './proposal-shapes.ts'
import { fieldOf } from '../header-words.ts'
import { isKnownUnit, PRICES, SIZES, splitHeaderUnit, unitColumnOf } from './header-units.ts'
import type { Kind } from './kinds.ts'
import { tellApart } from '../told-apart.ts'
import { findLanguages, foldedOf, keyOf, type LanguageColumn } from './languages.ts'

/** Characters of a header that a mapping can name. */
const MAX_HEADER = 1000

export type ProposedColumn = OutputOf<typeof ProposedColumnShape>

interface CountedColumn {
  readonly header: string
  readonly facts: ColumnFacts
}

/** @param mayCategorise whether a column may be proposed as the categories of records */
export function proposeColumns(
  columns: readonly CountedColumn[],
  rows: number,
  mayCategorise = true,
): ProposedColumn[] {
  const headers = columns.map(({ header }) => header)
  const languages = findLanguages(headers)
  const names = tellApart(headers)
  const counts = Map.groupBy(names, (name) => name.trim())
  const aliases = new Aliases()
  const ofCategories = mayCategorise ? columns.findIndex(namesCategories) : -1
  const bases = countedBases(headers.filter((_, index) => !languages.has(index)))
  const proposed = columns.map(({ header, facts }, index): ProposedColumn => {
    const closed = closedBecause(names[index]!, counts.get(names[index]!.trim())!.length)
    const heading = headingOf(header, closed === null ? languages.get(index) : undefined)
    const { base, language } = heading
    const kind = index === ofCategories ? 'categories' : kindOf(facts, { ...heading, rows })
    // `price_eur` and `price_usd` keep their currencies in their names.
    const isOnlyBase = language !== null || (isAmount(kind) && bases.get(foldedOf(base))! < 2)
    const named = isOnlyBase ? base : header
    const isUnique = facts.isUnique && language === null && kind === 'text' && isKey(base, index)
    return {
      index,
      header,
      closed,
      isTaken: closed === null && facts.filled > 0,
      alias: aliases.take(named, index, language),
      name: nameOf(named, index),
      kind,
      language,
      unit: isAmount(kind) ? unitOf(facts, heading) : null,
      part: null,
      isUnique,
      isRequired: false,
      facts,
    }
  })
  return withOneKind(withCurrencies(withUnitColumns(proposed))).map((column, index) => {
    const header = names[index]!
    const isOwn = header === column.header || column.part !== null || column.language !== null
    return { ...column, header, name: isOwn ? column.name : nameOf(header, index) }
  })
}

interface Heading {
  /** The header without its language or unit. */
  readonly base: string
  readonly language: string | null
  readonly unit: string | undefined
}

function headingOf(header: string, spoken: LanguageColumn | undefined): Heading {
  if (spoken !== undefined) return { base: spoken.base.trim(), language: spoken.language, unit: undefined }
  const measured = splitHeaderUnit(header)
  return { base: (measured?.base ?? header).trim(), language: null, unit: measured?.unit }
}

function isAmount(kind: Kind): boolean {
  return kind === 'measurement' || kind === 'price'
}

/** The unit of amounts that have none in their cells. */
function unitOf({ withUnit, filled, units }: ColumnFacts, { unit }: Heading): string | null {
  return withUnit < filled ? (unit ?? units[0] ?? null) : null
}

/** How many different headers have the same words before their units. */
function countedBases(headers: readonly string[]): ReadonlyMap<string, number> {
  const bases = new Map<string, number>()
  for (const header of new Set(headers.map((text) => text.trim()))) {
    const base = foldedOf((splitHeaderUnit(header)?.base ?? header).trim())
    bases.set(base, (bases.get(base) ?? 0) + 1)
  }
  return bases
}

/** Different paths without `>` are few, so that a column of texts does not fill a catalog. */
function namesCategories({ header, facts }: CountedColumn): boolean {
  if (fieldOf(foldedOf(header.trim())) !== 'categories') return false
  const isOfPaths = facts.filled > 0 && facts.fits.categories === facts.filled && !facts.hasTags
  return isOfPaths && (facts.options !== null || facts.arrows >= facts.filled / 2)
}

function closedBecause(name: string, count: number): ProposedColumn['closed'] {
  if (name.trim() === '') return 'empty'
  if (name.length > MAX_HEADER) return 'long'
  return count > 1 ? 'double' : null
}

function nameOf(text: string, index: number): string {
  // `productionYear` is written for programs.
  const spaced = /^\p{Ll}+(?:\p{Lu}\p{Ll}+)+$/u.test(text)
    ? text.replaceAll(/\p{Lu}/gu, (letter) => ` ${letter.toLowerCase()}`)
    : text
  const name = spaced
    .replaceAll(/[\s_]+/g, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed()
    .trim()
  return name === '' ? `Column ${index + 1}` : `${name[0]!.toUpperCase()}${name.slice(1)}`.slice(0, MAX_NAME)
}

/** The same alias for the languages of one attribute, and another one for everything else. */
class Aliases {
  readonly #names = new FreeNames()
  readonly #ofKey = new Map<string, { readonly alias: string; readonly languages: Set<string> }>()

  take(base: string, index: number, language: string | null): string {
    const known = language === null ? undefined : this.#ofKey.get(keyOf(base))
    if (known !== undefined && language !== null && !known.languages.has(language)) {
      known.languages.add(language)
      return known.alias
    }
    const alias = this.#names.take(aliasOf(base, index))
    if (language !== null) this.#ofKey.set(keyOf(base), { alias, languages: new Set([language]) })
    return alias
  }
}

const CODES = new Set(['sku', 'ean', 'tariff'])
const AMOUNTS = new Set([
  'stock',
  'packsize',
  'price',
  'cost',
  'compareprice',
  'weight',
  'width',
  'height',
  'length',
  'depth',
])
const CHOICES = new Set(['brand', 'color', 'size', 'material', 'gender', 'season', 'type', 'country'])
const CODE_WORD = /(?:^| )(?:id|nr|no|num|nummer|number|code|key|isbn|gtin)$/

function isKey(base: string, index: number): boolean {
  return CODES.has(keyOf(base)) || (index < 3 && CODE_WORD.test(foldedOf(base)))
}

interface Context extends Heading {
  readonly rows: number
}

function kindOf(facts: ColumnFacts, context: Context): Kind {
  const { base, language } = context
  const concept = keyOf(base)
  const longer: Kind = facts.hasTags || facts.isLong || concept === 'description' ? 'richText' : 'text'
  if (facts.filled === 0 || language !== null) return longer
  if (CODES.has(concept)) return 'text'
  // The zeros of `02.03.2025` belong to a date, not to a code.
  const time = timeOf(facts)
  if (time !== undefined) return time
  if (isCode(facts, base)) return 'text'
  return addressOf(facts) ?? truthOf(facts, concept) ?? amountOf(facts, context) ?? chosenOf(facts, concept) ?? longer
}

function isCode(facts: ColumnFacts, base: string): boolean {
  if (facts.hasLeadingZero) return true
  return facts.isUnique && fitsAll(facts, 'integer') && CODE_WORD.test(foldedOf(base))
}

function fitsAll({ fits, filled }: ColumnFacts, kind: Kind): boolean {
  return fits[kind] === filled
}

function addressOf(facts: ColumnFacts): Kind | undefined {
  // A file is fetched only where a person has asked for it: one host that is away would refuse every row.
  return fitsAll(facts, 'url') ? 'url' : undefined
}

function truthOf(facts: ColumnFacts, concept: string): Kind | undefined {
  const { options } = facts
  if (!fitsAll(facts, 'boolean') || options === null || options.length > 4) return undefined
  if (fitsAll(facts, 'number')) return options.length === 2 && !AMOUNTS.has(concept) ? 'boolean' : undefined
  const isLetter = options.length === 1 && options[0]!.length === 1 && options[0]!.toLowerCase() !== 'x'
  return isLetter ? undefined : 'boolean'
}

function timeOf(facts: ColumnFacts): Kind | undefined {
  if (fitsAll(facts, 'date')) return 'date'
  return fitsAll(facts, 'dateTime') ? 'dateTime' : undefined
}

function amountOf(facts: ColumnFacts, { unit }: Context): Kind | undefined {
  const { units, withUnit, filled } = facts
  const known = unit ?? (withUnit === filled && units.length > 0 && units.every(isMeasure) ? units[0]! : undefined)
  if (known !== undefined && isCurrency(known) && fitsAll(facts, 'price')) return 'price'
  if (known !== undefined && !isCurrency(known) && fitsAll(facts, 'measurement')) return 'measurement'
  if (fitsAll(facts, 'integer')) return 'integer'
  return fitsAll(facts, 'number') ? 'number' : undefined
}

function isMeasure(unit: string): boolean {
  return isKnownUnit(unit) || isCurrency(unit)
}

function chosenOf(facts: ColumnFacts, concept: string): Kind | undefined {
  const { filled, options, parts, separated } = facts
  if (concept === 'name' || concept === 'description' || facts.hasTags) return undefined
  if (parts !== null && separated >= filled / 5 && filled >= 2 * parts.length) return 'multiSelect'
  const most = CHOICES.has(concept) ? filled / 1.5 : filled / 2
  return options !== null && options.length <= most ? 'select' : undefined
}

/** A column with the units of another column is no attribute of its own. */
function withUnitColumns(columns: readonly ProposedColumn[]): ProposedColumn[] {
  const result = [...columns]
  for (const [index, column] of columns.entries()) {
    const named = column.closed === null && column.isTaken ? unitColumnOf(column.header) : undefined
    if (named?.part !== 'unit' || column.facts.options === null) continue
    const at = named.of === '' ? index - 1 : columns.findIndex(({ header }) => foldedOf(header) === named.of)
    const amount = result[at]
    if (amount === undefined || !isPlainNumber(amount) || (named.of === '' && !SIZES.has(keyOf(amount.header))))
      continue
    if (column.facts.filled < amount.facts.filled) continue
    result[at] = { ...amount, kind: 'measurement' }
    result[index] = { ...column, alias: amount.alias, name: amount.name, part: 'unit', kind: 'text', isUnique: false }
  }
  return result
}

function isPlainNumber({ kind, unit, isTaken }: ProposedColumn): boolean {
  return isTaken && unit === null && (kind === 'integer' || kind === 'number')
}

/** A column of currencies belongs to the first price. A column with one currency only belongs to all prices. */
function withCurrencies(columns: readonly ProposedColumn[]): ProposedColumn[] {
  const at = columns.findIndex(
    ({ header, isTaken, facts }) =>
      isTaken && facts.currencies === facts.filled && unitColumnOf(header)?.part === 'currency',
  )
  const prices = columns.filter((column) => isPlainNumber(column) && PRICES.has(keyOf(column.header)))
  const [first] = prices
  const currency = columns[at]
  if (currency === undefined || first === undefined) return [...columns]
  const only = currency.facts.options?.length === 1 ? currency.facts.options[0]! : null
  if (only === null && currency.facts.filled < first.facts.filled) return [...columns]
  return columns.map((column, index): ProposedColumn => {
    if (index === at)
      return only === null
        ? { ...column, alias: first.alias, name: first.name, part: 'currency', kind: 'text' }
        : { ...column, isTaken: false }
    if (only !== null && prices.includes(column)) return { ...column, kind: 'price', unit: only }
    return column === first ? { ...column, kind: 'price' } : column
  })
}

/** The languages of one attribute have one kind. */
function withOneKind(columns: readonly ProposedColumn[]): ProposedColumn[] {
  const long = new Set(columns.filter(({ kind }) => kind === 'richText').map(({ alias }) => alias))
  return columns.map((column) =>
    column.language !== null && long.has(column.alias) ? { ...column, kind: 'richText' } : column,
  )
}
