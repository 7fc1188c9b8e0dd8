// The dimension of languages: the dimension with the ID `language`, or a dimension with that name.
import type { Dimension } from './dimension.ts'

const CALLED = /^(?:languages?|locales?|sprachen?)$/i

export function findLanguageDimension<Of extends Pick<Dimension, 'id' | 'name'>>(
  dimensions: readonly Of[],
): Of | undefined {
  return dimensions.find(({ id }) => id === 'language') ?? dimensions.find(({ name }) => CALLED.test(name))
}
