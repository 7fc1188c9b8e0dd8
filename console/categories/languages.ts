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

/** What the language is called in `locale`; its tag where nobody knows it. */
export function languageName(tag: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

/** A tag that browsers have a word for; `us` and `eu` are markets, though `eu` is Basque: all segments must be languages. */
function isLanguage(tag: string): boolean {
  return languageName(tag, 'en').toLowerCase() !== tag.toLowerCase()
}

/** Without those that are empty. */
export function filledNames(names: Names): Names {
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name.trim() !== ''))
}
