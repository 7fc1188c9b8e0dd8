// Makes attributes for columns that fit no attribute of the schema, as the server proposes for the file.
import { mappingOf, type Proposal } from '../../src/imports/rules/proposal/proposal.ts'
import type { Console } from '../state/console.ts'
import type { ColumnDraft, Import, MappingDraft } from './mapping.ts'

/** Adds attributes to the schema, and returns the columns that now have an attribute. @throws the errors of a call */
export async function makeAttributes(
  { call, model }: Pick<Console, 'call' | 'model'>,
  found: Import,
  { schemaId, columns }: MappingDraft,
  indices: readonly number[],
): Promise<{ readonly names: readonly string[]; readonly columns: readonly ColumnDraft[] }> {
  const params = { id: schemaId }
  const [{ body: proposal }, { body: stored }] = await Promise.all([
    call('GET /api/v1/imports/:id/proposal', { params: { id: found.id } }),
    call('GET /api/v1/schemas/:id', { params }),
  ])
  const dimension = model.dimensions.value.find(({ id }) => id === proposal.dimension.id)
  const segments = new Set(dimension?.segments.map(({ id }) => id))
  const taken = new Set(stored.attributes.map(({ alias }) => alias))
  const made = attributesFor(proposal, indices, { taken, segments })
  const { createdAt: _at, updatedAt: _to, ...body } = stored
  await call('PUT /api/v1/schemas/:id', {
    params,
    body: { ...body, attributes: [...body.attributes, ...made.attributes] },
  })
  await model.load()
  return {
    names: made.attributes.map(({ name }) => name ?? ''),
    columns: columns.map((column, index) => made.columns.get(proposal.columns[index]!.header) ?? column),
  }
}

interface Present {
  /** Aliases of the schema. */
  readonly taken: ReadonlySet<string>
  /** Segments of the dimension of languages. */
  readonly segments: ReadonlySet<string>
}

/** The attributes for some columns of a proposal, and the targets of these columns. Pure. */
export function attributesFor(proposal: Proposal, indices: readonly number[], { taken, segments }: Present) {
  const spoken = new Set(proposal.segments.flatMap(({ id, language }) => (segments.has(id) ? [language] : [])))
  const aliases = new Map<string, string>()
  const aliasOf = (wanted: string): string => {
    const alias = aliases.get(wanted) ?? freeAlias(wanted, new Set([...taken, ...aliases.values()]))
    aliases.set(wanted, alias)
    return alias
  }
  const columns = proposal.columns
    .filter(({ index, closed, kind }) => indices.includes(index) && closed === null && kind !== 'categories')
    .map((column) => {
      const { alias, language } = column
      // A language that the model lacks becomes a separate attribute.
      if (language === null || spoken.has(language)) return { ...column, isTaken: true, alias: aliasOf(alias) }
      return { ...column, isTaken: true, alias: aliasOf(`${alias}_${language}`), name: column.header, language: null }
    })
  const mapping = mappingOf({ ...proposal, columns })
  return {
    // Values of existing records may be missing or equal.
    attributes: mapping.model.schemas[0]!.attributes.map((one) => ({ ...one, unique: false, requiredInStateIds: [] })),
    columns: new Map(
      mapping.columns.map(({ header, to, with: steps = [], createOptions }): [string, ColumnDraft] => [
        header,
        { to, steps, making: createOptions === undefined ? {} : { createOptions } },
      ]),
    ),
  }
}

function freeAlias(alias: string, taken: ReadonlySet<string>): string {
  let free = alias
  for (let number = 2; taken.has(free); number += 1) free = `${alias}${number}`
  return free
}
