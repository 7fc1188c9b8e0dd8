// Languages: the dimension of languages (its ID is `language`, or its name means languages), and names of its segments.
// Contract 5 §1.
import type { Dimension } from './dimension.ts'

const CALLED = /^(?:languages?|locales?|sprachen?)$/i

export function findLanguageDimension<Of extends Pick<Dimension, 'id' | 'name'>>(
  dimensions: readonly Of[],
): Of | undefined {
  return dimensions.find(({ id }) => id === 'language') ?? dimensions.find(({ name }) => CALLED.test(name))
}

/** Returns the name of a language in this language. */
export function nameOfLanguage(code: string): string | undefined {
  try {
    const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code)
    return name && `${name[0]!.toLocaleUpperCase(code)}${name.slice(1)}`
  } catch {
    return undefined
  }
}
