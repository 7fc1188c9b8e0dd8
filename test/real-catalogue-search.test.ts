// On the real catalogue every operator's answer equals a scan of its file.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { send } from './helpers/answers.ts'
import { loadRealCatalogue, readRealCatalogue, withRealCatalogue } from './helpers/real-catalogue.ts'
import { startServer } from './helpers/server.ts'
import type { ScopedValueBody } from './helpers/shirts.ts'

/** The values of an attribute in any scope: the record's own and, where none of its own covers theirs, its parent's. */
type ValuesIn = (id: string, alias: string, language?: string) => unknown[]

it('every operator answers as a scan of the file does', withRealCatalogue, async () => {
  const catalogue = readRealCatalogue()
  const server = await startServer()
  try {
    await loadRealCatalogue(server.admin, catalogue)
    const byId = new Map(catalogue.records.map((record) => [record.id, record]))
    const own = (id: string, alias: string): ScopedValueBody[] => byId.get(id)?.values[alias] ?? []
    const valuesIn: ValuesIn = (id, alias, language) => {
      const inherited = own(byId.get(id)?.parentId ?? '', alias)
      const mine = own(id, alias)
      const covers = (value: ScopedValueBody, wanted?: string) => (value.scope['language'] ?? wanted) === wanted
      const kept = inherited.filter((value) => !mine.some((it) => covers(it, value.scope['language'])))
      const all = [...mine, ...kept]
      return (language === undefined ? all : all.filter((value) => covers(value, language))).map((it) => it.value)
    }
    const amount = (value: unknown): number =>
      typeof value === 'object' ? (value as { amount: number }).amount : Number(value)
    const isFilled = (value: unknown): boolean => value !== '' && !(Array.isArray(value) && value.length === 0)
    const has = (value: unknown, wanted: string): boolean =>
      Array.isArray(value) ? value.includes(wanted) : String(value) === wanted
    const contains = (value: unknown, wanted: string): boolean =>
      String(value).normalize('NFC').toLowerCase().includes(wanted.toLowerCase())

    const questions: [
      alias: string,
      operator: string,
      value: string | undefined,
      language: string | undefined,
      test: (values: unknown[]) => boolean,
    ][] = [
      ['manufacturer', 'equals', 'jaguar', undefined, (values) => values.some((value) => has(value, 'jaguar'))],
      ['manufacturer', 'notEquals', 'jaguar', undefined, (values) => !values.some((value) => has(value, 'jaguar'))],
      ['color', 'equals', 'red', undefined, (values) => values.some((value) => has(value, 'red'))],
      ['name', 'equals', 'E-Type', 'en', (values) => values.some((value) => has(value, 'E-Type'))],
      ['name', 'contains', 'type', undefined, (values) => values.some((value) => contains(value, 'type'))],
      ['name', 'contains', 'ty', 'en', (values) => values.some((value) => contains(value, 'ty'))],
      [
        'description',
        'contains',
        'sports car',
        'en',
        (values) => values.some((value) => contains(value, 'sports car')),
      ],
      ['description', 'isEmpty', undefined, undefined, (values) => !values.some(isFilled)],
      ['description', 'isEmpty', undefined, 'de', (values) => !values.some(isFilled)],
      ['name', 'isNotEmpty', undefined, 'fr', (values) => values.some(isFilled)],
      ['productionYear', 'gt', '1960', undefined, (values) => values.some((value) => amount(value) > 1960)],
      ['productionYear', 'lt', '1950', undefined, (values) => values.some((value) => amount(value) < 1950)],
      ['weight', 'gt', '1500.5', undefined, (values) => values.some((value) => amount(value) > 1500.5)],
      ['power', 'equals', '198', undefined, (values) => values.some((value) => amount(value) === 198)],
    ]
    const schemas = catalogue.model.schemas as unknown as { id: string; attributes: { alias: string }[] }[]
    for (const [attributeAlias, operator, value, language, test] of questions) {
      const scope = language === undefined ? undefined : { language }
      const body = { criteria: [{ attributeAlias, operator, value, scope }], criteriaOperator: 'and' }
      const found = await send<{ id: string }[]>(server.admin, 'POST', '/api/v1/search', body)
      const defining = schemas
        .filter((schema) => schema.attributes.some(({ alias }) => alias === attributeAlias))
        .map(({ id }) => id)
      const expected = catalogue.records
        .filter((record) => defining.includes(record.schemaId) && test(valuesIn(record.id, attributeAlias, language)))
        .map((record) => record.id)
      assert.ok(expected.length > 0, `${attributeAlias} ${operator} ${value} should find something`)
      assert.deepEqual(
        found.body.map((record) => record.id),
        expected,
        `${attributeAlias} ${operator} ${value} ${language}`,
      )
    }
  } finally {
    await server.stop()
  }
})
