// The languages in which a part of the model may have a name. They are the languages of the console, the catalogue, and
// existing names.
import type { Dimension } from '../../src/core/model/rules/dimension.ts'
import type { Names } from '../../src/core/model/rules/names.ts'

export function languagesOf(
  dimensions: readonly Pick<Dimension, 'id' | 'segments'>[],
  names: Names,
  spoken: readonly string[],
): string[] {
  const ofCatalogue = dimensions
    .filter(({ segments }) => segments.length > 0 && segments.every(({ id }) => isLanguage(id)))
    .flatMap(({ segments }) => segments.map(({ id }) => id))
  return [...new Set([...spoken, ...ofCatalogue, ...Object.keys(names)])]
}

/** The name of the language in `locale`; the tag if the browser has no name. */
export function languageName(tag: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

/**
 * A language that browsers can name. `eu` is Basque, but also a market, so all segments of a dimension must be
 * languages.
 */
export function isLanguage(tag: string): boolean {
  return languageName(tag, 'en').toLowerCase() !== tag.toLowerCase()
}

/** Drops empty names. */
export function filledNames(names: Names): Names {
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name.trim() !== ''))
}
