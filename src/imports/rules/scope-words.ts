// Finds the segments that a header names: `name_de`, `Name (German)`, `Preis EU`. Contract 3 §4.
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model } from '../../core/model/rules/model.ts'
import type { Scope } from '../../core/scopes/scope.ts'
import { foldHeader, WORD_LANGUAGES, type WordLanguage } from './header-words.ts'

export interface ScopeFinder {
  /** Returns the scope that the phrase names in these dimensions, and the rest of the phrase. */
  (phrase: string, dimensionIds: readonly string[]): { readonly scope: Scope; readonly rest: string }
  /** Returns the scope of the header's own language, for attributes with values by language. */
  byLanguage(language: WordLanguage | undefined, attribute: Attribute): Scope | undefined
}

const CODE = /^([a-z]{2,3})(?:[-_]([A-Za-z]{2}))?$/i

export function createScopeFinder({ dimensions }: Model): ScopeFinder {
  const words = new Map(
    [...dimensions.values()].map(({ id, segments }) => [
      id,
      segments.flatMap(({ id: segment, name, names }) =>
        wordsOf(segment, [name, ...Object.values(names ?? {})]).map((word) => ({ segment, word })),
      ),
    ]),
  )
  const find = (phrase: string, dimensionIds: readonly string[]) => {
    const scope: Record<string, string> = {}
    let rest = phrase
    for (const id of dimensionIds) {
      const matching = (words.get(id) ?? []).filter(
        ({ word }) => rest.endsWith(` ${word}`) || rest.startsWith(`${word} `),
      )
      const longest = matching.toSorted((one, other) => other.word.length - one.word.length)[0]
      if (longest === undefined) continue
      scope[id] = longest.segment
      rest = (
        rest.endsWith(` ${longest.word}`) ? rest.slice(0, -longest.word.length) : rest.slice(longest.word.length)
      ).trim()
    }
    return { scope, rest }
  }
  const byLanguage = (language: WordLanguage | undefined, { dimensionIds }: Attribute): Scope | undefined => {
    if (language === undefined || language === 'en') return undefined
    for (const id of dimensionIds) {
      const segment = dimensions.get(id)?.segments.find((one) => CODE.exec(one.id)?.[1]?.toLowerCase() === language)
      if (segment !== undefined) return { [id]: segment.id }
    }
    return undefined
  }
  return Object.assign(find, { byLanguage })
}

/** Returns the words for a segment: its ID, its names, and the language or region that a code stands for. */
function wordsOf(id: string, names: readonly (string | undefined)[]): string[] {
  const known = [id, ...names].filter((name) => name !== undefined).map(foldHeader)
  const [, code, region] = CODE.exec(id) ?? []
  if (code === undefined) return [...new Set(known)]
  // `de_DE` also means German.
  known.push(`${code} ${region ?? code}`.toLowerCase())
  for (const language of WORD_LANGUAGES) {
    for (const type of ['language', 'region'] as const) {
      const spoken = type === 'region' ? (region ?? code).toUpperCase() : code.toLowerCase()
      const found = displayName(language, type, spoken)
      if (found !== undefined) known.push(foldHeader(found))
    }
  }
  return [...new Set(known)].filter((word) => word !== '')
}

function displayName(language: string, type: 'language' | 'region', code: string): string | undefined {
  try {
    return new Intl.DisplayNames([language], { type, fallback: 'none' }).of(code)
  } catch {
    return undefined
  }
}
