// Reads the unit or currency in a header: `Weight (kg)`, `Preis in EUR`, `length_cm`. Contract 5 §1.
import { isCurrency } from '../../../core/values/currencies.ts'
import { UNIT_WORDS } from '../header-words.ts'
import { foldedOf, keyOf, MAX_MEANT } from './languages.ts'

const UNITS = new Set(
  'kg,g,gr,mg,lb,lbs,oz,t,mm,cm,dm,m,km,in,inch,ft,zoll,l,ml,cl,dl,W,kW,V,kV,A,mA,mAh,Ah,Wh,kWh,Hz,kHz,MHz,GHz,°C,°F,K,bar,Nm,N,dB,GB,MB,TB,Pa,kPa,s,sec,min,h,%,m²,m2,m³,m3,cm²,cm2,cm³,cm3,lm,rpm,px,dpi,kcal,kJ,J'.split(
    ',',
  ),
)
const CURRENCY_SIGNS = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
])

export const PRICES: ReadonlySet<string> = new Set(['price', 'cost', 'compareprice'])
export const SIZES: ReadonlySet<string> = new Set(['weight', 'width', 'height', 'length', 'depth'])

/** In any case of letters, but for a single letter: `kw` is `kW`. */
const BY_FOLDED = new Map([...UNITS].toReversed().map((unit) => [unit.toLowerCase(), unit]))

function knownUnit(text: string): string | undefined {
  if (UNITS.has(text)) return text
  return text.length === 1 ? undefined : BY_FOLDED.get(text.toLowerCase())
}

export function isKnownUnit(text: string): boolean {
  return knownUnit(text) !== undefined
}

interface HeaderUnit {
  readonly base: string
  readonly unit: string
}

/** Undefined: the header has no unit. */
export function splitHeaderUnit(header: string): HeaderUnit | undefined {
  const text = header.trim()
  if (text.length > MAX_MEANT) return undefined
  const [, base, inside] = /^(.*\S)\s*[([{]\s*(?:in\s+)?([^()[\]{}]{1,10}?)\s*[)\]}]$/iu.exec(text) ?? []
  const bracketed = inside === undefined ? undefined : unitOf(inside, base!)
  if (bracketed !== undefined) return { base: base!, unit: bracketed }
  const [, before, word] = /^(.*?[\p{L}\p{N})])(?:\s+in\s+|[\s_/-]+)(\S{1,5})$/iu.exec(text) ?? []
  // One letter alone is rather a part of a name, except in `weight_g` and `length_m`, and `in` a word.
  const isLetter = word?.length === 1 && !(/[gm]/.test(word) && SIZES.has(keyOf(before!)))
  const isWord = word === undefined || ((isLetter || /^(?:in|min|sec)$/i.test(word)) && !/[\u20ac$\xa3%]/.test(word))
  const beside = isWord ? undefined : unitOf(word, before!)
  return beside === undefined ? undefined : { base: before!, unit: beside }
}

function unitOf(text: string, base: string): string | undefined {
  const sign = CURRENCY_SIGNS.get(text)
  if (sign !== undefined) return sign
  // `price_eur` has a currency; `for all` has none, though `ALL` is one.
  const code = PRICES.has(keyOf(base)) ? text.toUpperCase() : text
  if (isCurrency(code)) return code
  return knownUnit(text)
}

/**
 * Whether the column holds units or currencies of another column. `of` is the folded name of that column, or '' if the
 * header does not name it.
 */
export function unitColumnOf(header: string): { readonly part: 'unit' | 'currency'; readonly of: string } | undefined {
  const folded = foldedOf(header)
  for (const [word, part] of UNIT_WORDS)
    if (folded === word || folded.endsWith(` ${word}`)) return { part, of: folded.slice(0, -word.length).trim() }
  return undefined
}
