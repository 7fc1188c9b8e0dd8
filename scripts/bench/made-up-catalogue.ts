// A catalogue in the form of the real one, for checkouts without it: the figures are similar, not equal.
import type { RealCatalogue } from '../../test/helpers/real-catalogue.ts'
import { randomNumbers } from './statistics.ts'

/** The source of the records. */
export type Source = Pick<RealCatalogue, 'model' | 'records'>

const SYLLABLES =
  'ba ren to mi la ster kon du ver pa si dor al he ro nim gra tec va lo que zu fen bri mar so ti el ka wo'.split(' ')
const OPTIONS = Array.from({ length: 12 }, (_, index) => `option-${index + 1}`)
const SELECTS = ['manufacturer', 'bodyStyle', 'carClass', 'country', 'condition']
const CARS = 200
const VOCABULARY = 1500

const random = randomNumbers(1)
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
const vocabulary = Array.from({ length: VOCABULARY }, () =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(SYLLABLES)).join(''),
)
/** Natural language has few frequent words and many rare ones. */
const word = (): string => vocabulary[Math.floor(random() ** 3 * VOCABULARY)]!
const text = (words: number): string => Array.from({ length: words }, word).join(' ')
const everywhere = (value: unknown) => [{ scope: {}, value }]
const english = (value: string) => [{ scope: { language: 'en' }, value }]

const attribute = (alias: string, dataType: string, more: object = {}) => ({ alias, name: alias, dataType, ...more })
const options = { options: OPTIONS.map((id) => ({ id, name: id })) }

const segmentsOf: Record<string, object[]> = {
  language: [
    { id: 'en', name: 'en' },
    { id: 'de', name: 'de' },
  ],
  market: [
    { id: 'eu', name: 'eu' },
    { id: 'us', name: 'us' },
  ],
}

const schema = {
  id: 'sch-car',
  name: 'Car',
  attributes: [
    attribute('name', 'text', { dimensionIds: ['language'], requiredInStateIds: ['state-review'] }),
    attribute('description', 'richText', { dimensionIds: ['language'] }),
    attribute('series', 'text'),
    attribute('productionYear', 'number'),
    attribute('stock', 'number'),
    ...SELECTS.map((alias) => attribute(alias, 'select', options)),
    attribute('color', 'multiSelect', options),
    attribute('weight', 'measurement', { units: ['kg'] }),
    attribute('power', 'measurement', { units: ['kw'] }),
    attribute('price', 'price', { dimensionIds: ['market'], currencies: ['EUR'] }),
  ],
}

function makeCar(number: number): Source['records'][number] {
  const amount = (max: number): number => Math.floor(random() * max * 100) / 100
  return {
    id: `car-${number}`,
    schemaId: schema.id,
    values: {
      name: english(text(2)),
      description: english(text(40)),
      series: everywhere(text(1)),
      color: everywhere([pick(OPTIONS)]),
      weight: everywhere({ amount: amount(3000), unit: 'kg' }),
      power: everywhere({ amount: amount(400), unit: 'kw' }),
      price: [{ scope: { market: 'eu' }, value: { amount: amount(50_000), currency: 'EUR' } }],
      ...Object.fromEntries(SELECTS.map((alias) => [alias, everywhere(pick(OPTIONS))])),
    },
  }
}

export const MADE_UP_CATALOGUE: Source = {
  model: {
    dimensions: ['language', 'market'].map((id) => ({ id, name: id, segments: segmentsOf[id]! })),
    schemas: [schema],
    catalogs: [],
    categories: [],
  },
  records: Array.from({ length: CARS }, (_, index) => makeCar(index + 1)),
}
