// Makes any number of records of about 1 KB each. Words come from the real catalogue if it lies beside the checkout,
// otherwise from a made-up one. The same number always gives the same record.
import { readRealCatalogue, withRealCatalogue } from '../../test/helpers/real-catalogue.ts'
import { randomNumbers } from './statistics.ts'
import { MADE_UP_CATALOGUE, type Source } from './made-up-catalogue.ts'

export const SCHEMA_ID = 'sch-car'

export type ScopedValues = readonly { readonly scope: Readonly<Record<string, string>>; readonly value: unknown }[]
export type RecordValues = Readonly<Record<string, ScopedValues>>

export interface Catalogue {
  readonly source: string
  readonly dimensions: readonly { readonly id: string }[]
  readonly schema: { readonly id: string }
  valuesOf(number: number): RecordValues
  /** The changes of an update: a text and a number, different in each round. */
  changesOf(number: number, round: number): RecordValues
  /** A word of the record that few others have. */
  rareWordOf(number: number): string
}

/** Values of every record besides its texts, chosen so that a record has about 1 KB. */
const ATTRIBUTES = [
  'series',
  'manufacturer',
  'bodyStyle',
  'carClass',
  'color',
  'country',
  'weight',
  'power',
  'condition',
  'price',
]
const DESCRIPTION_WORDS = 48

export function openCatalogue(): Catalogue {
  const isReal = withRealCatalogue.skip === false
  const source: Source = isReal ? readRealCatalogue() : MADE_UP_CATALOGUE
  const cars = source.records.filter((record) => record.schemaId === SCHEMA_ID)
  const pools = new Map(
    ATTRIBUTES.map((alias) => [
      alias,
      cars.flatMap(({ values }) => (values[alias] === undefined ? [] : [values[alias]])),
    ]),
  )
  const words = cars.flatMap((car) => ['name', 'description'].flatMap((alias) => wordsOf(car.values[alias] ?? [])))
  const pick = <Item>(items: readonly Item[], random: () => number): Item => items[Math.floor(random() * items.length)]!

  const rareWord = (number: number): string => {
    const random = randomNumbers(number * 2 + 1)
    const part = (): string => pick(words, random).slice(0, 4)
    return `${part()}${part().toLowerCase()}${part().toLowerCase()}`
  }
  return {
    source: isReal ? 'the vocabulary of the real catalogue' : 'a made-up vocabulary (the real catalogue is not here)',
    dimensions: source.model.dimensions,
    schema: source.model.schemas.find((schema) => schema.id === SCHEMA_ID)!,
    rareWordOf: rareWord,
    changesOf(number, round) {
      const random = randomNumbers(number * 2 + round * 7919)
      return {
        name: english(`${pick(words, random)} ${rareWord(number + round)}`),
        stock: everywhere(Math.floor(random() * 100_000)),
      }
    },
    valuesOf(number) {
      const random = randomNumbers(number * 2)
      const text = Array.from({ length: DESCRIPTION_WORDS }, () => pick(words, random)).join(' ')
      const values: Record<string, ScopedValues> = {
        name: english(`${pick(words, random)} ${rareWord(number)}`),
        description: english(`<p>${text}</p>`),
        productionYear: everywhere(1900 + Math.floor(random() * 120)),
        stock: everywhere(Math.floor(random() * 100_000)),
      }
      for (const [alias, pool] of pools) values[alias] = pick(pool, random)
      return values
    },
  }
}

function english(value: string): ScopedValues {
  return [{ scope: { language: 'en' }, value }]
}

function everywhere(value: unknown): ScopedValues {
  return [{ scope: {}, value }]
}

function wordsOf(values: ScopedValues): string[] {
  return values.flatMap(({ value }) =>
    String(value)
      .replaceAll(/<[^>]*>|&\w+;/g, ' ')
      .split(/[^\p{L}\p{N}-]+/u)
      .filter((word) => word !== ''),
  )
}
