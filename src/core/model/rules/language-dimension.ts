// The dimension of languages: the one with the ID `language`, or one that is called so.
import type { Dimension } from './dimension.ts'

const CALLED = /^(?:languages?|locales?|sprachen?)$/i

export function findLanguageDimension<Of extends Pick<Dimension, 'id' | 'name'>>(
  dimensions: readonly Of[],
): Of | undefined {
  return dimensions.find(({ id }) => id === 'language') ?? dimensions.find(({ name }) => CALLED.test(name))
}
