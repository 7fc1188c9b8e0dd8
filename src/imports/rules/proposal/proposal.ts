// The model and the mapping that a file proposes, and how corrections change them. Pure. Contract 5 §1.
import { isCurrency } from '../../../core/values/currencies.ts'
import type { NewModel } from '../../../core/model/rules/new-model.ts'
import type { ImportColumn } from '../import-profile.ts'
import { type NewOption, OptionNames, slugOf } from '../option-names.ts'
import { type AttributeKind, type Kind, stepsOf } from './kinds.ts'
import type { ProposedColumn } from './proposed-columns.ts'
import type { OutputOf } from '../../../kernel/input/validation.ts'
import type { ProposalShape } from './proposal-shapes.ts'

export type Proposal = Omit<OutputOf<typeof ProposalShape>, 'mapping'>

/** The body of PUT /api/v1/imports/:id/mapping. */
export interface ProposedMapping {
  readonly schemaId: string
  readonly mode: 'create' | 'upsert'
  readonly matchBy: string | null
  readonly emptyCells: 'keep'
  readonly columns: readonly ImportColumn[]
  readonly model: NewModel
}

/** Options that the model of a proposal lists; the import makes the others. */
const MAX_LISTED_OPTIONS = 2000

interface Room {
  options: number
}

type Attribute = NewModel['schemas'][number]['attributes'][number]

/** How many of the cells that are not empty fit the column as it is proposed. */
export function fittingCells({ kind, unit, part, facts }: ProposedColumn, hasUnitColumn: boolean): number {
  if (part !== null) return part === 'currency' ? facts.currencies : facts.filled
  const isAmount = kind === 'measurement' || kind === 'price'
  if (!isAmount || hasUnitColumn) return facts.fits[kind]
  const currencies = unit === null ? facts.units : [unit]
  if (kind === 'price' && !currencies.every((one) => isCurrency(one))) return 0
  return unit === null ? facts.withUnit : facts.fits[kind]
}

/** Columns that hold the same attribute in the same language. */
export function doubledColumns(columns: readonly ProposedColumn[]): ReadonlySet<number> {
  const taken = columns.filter(({ isTaken }) => isTaken)
  const places = Map.groupBy(taken, ({ alias, language, part, kind }) =>
    kind === 'categories' ? kind : JSON.stringify([alias, language, part !== null]),
  )
  return new Set([...places.values()].flatMap((same) => (same.length > 1 ? same.map(({ index }) => index) : [])))
}

/** The unique attribute by which rows find their records; null: every row makes one. */
function matchedBy({ columns, rows }: Pick<Proposal, 'columns' | 'rows'>): string | null {
  return columns.find(({ isTaken, isUnique, facts }) => isTaken && isUnique && facts.filled === rows)?.alias ?? null
}

/** The ID, or the ID with a number behind it if it is taken. */
export function freeId(id: string, taken: { has(id: string): boolean }): string {
  if (!taken.has(id)) return id
  for (let count = 2; ; count += 1) if (!taken.has(`${id}-${count}`)) return `${id}-${count}`
}

/** A catalog that the import makes. */
export function newCatalog(name: string, present: readonly { readonly id: string }[]) {
  const id = freeId(`cat-${slugOf(name).slice(0, 60)}`, new Set(present.map((catalog) => catalog.id)))
  return { id, name, isNew: true }
}

export function mappingOf(proposal: Proposal): ProposedMapping {
  const { schemaId, name, workflowId, dimension, segments, catalog } = proposal
  const { taken, ofCategories } = takenColumns(proposal)
  const groups = [...Map.groupBy(taken, ({ alias }) => alias).values()].filter((group) =>
    group.some(({ part }) => part === null),
  )
  const room = { options: MAX_LISTED_OPTIONS }
  const attributes = groups.map((group) => attributeOf(group, proposal, room))
  const spoken = new Set(taken.map(({ language }) => language))
  const added = segments.filter(({ language }) => spoken.has(language)).map(({ id, name: of }) => ({ id, name: of }))
  const matchBy = matchedBy({ ...proposal, columns: taken })
  const image = groups.find(([first]) => first!.kind === 'file')?.[0]?.alias
  const known = new Set(attributes.map(({ alias }) => alias))
  const label = proposal.labelAttribute !== null && known.has(proposal.labelAttribute) ? proposal.labelAttribute : null
  return {
    schemaId,
    mode: matchBy === null ? 'create' : 'upsert',
    matchBy,
    emptyCells: 'keep',
    columns: [
      ...taken.filter(({ alias }) => known.has(alias)).map((column) => columnOf(column, proposal)),
      ...ofCategories.map(({ header, kind, facts }) => ({
        header,
        to: { field: 'categories' as const },
        with: stepsOf(kind, { ...facts, unit: null }),
        createCategories: true,
        catalogId: catalog!.id,
      })),
    ],
    model: {
      dimensions: added.length === 0 ? [] : [{ ...dimension, segments: added }],
      workflows: [],
      schemas: [
        {
          id: schemaId,
          name,
          workflowId,
          attributes,
          combinations: null,
          ...(label === null ? {} : { labelAttribute: label }),
          ...(image === undefined ? {} : { imageAttribute: image }),
        },
      ],
      catalogs:
        catalog?.isNew === true && ofCategories.length > 0
          ? [{ id: catalog.id, name: catalog.name.trim() || name, categories: [] }]
          : [],
    },
  }
}

type AttributeColumn = ProposedColumn & { readonly kind: AttributeKind }

function takenColumns({ columns, catalog }: Proposal) {
  const all = columns.filter(({ isTaken, closed }) => isTaken && closed === null)
  return {
    taken: all.filter((column): column is AttributeColumn => column.kind !== 'categories'),
    ofCategories: catalog === null ? [] : all.filter(({ kind }) => kind === 'categories'),
  }
}

function columnOf(column: AttributeColumn, { dimension, segments }: Proposal): ImportColumn {
  const { header, alias, language, kind, unit, part, facts } = column
  const segment = segments.find((one) => one.language === language)
  const scope = segment === undefined ? {} : { scope: { [dimension.id]: segment.id } }
  if (part !== null) return { header, to: { attributeAlias: alias, ...scope, part }, with: ['trim'] }
  const steps = stepsOf(kind, { ...facts, unit })
  const isChosen = kind === 'select' || kind === 'multiSelect'
  return { header, to: { attributeAlias: alias, ...scope }, with: steps, ...(isChosen ? { createOptions: true } : {}) }
}

function attributeOf(group: readonly AttributeColumn[], proposal: Proposal, room: Room): Attribute {
  const values = group.filter(({ part }) => part === null)
  const { alias, name, kind, isRequired } = values[0]!
  const isScoped = values.some(({ language }) => language !== null)
  return {
    alias,
    name,
    description: '',
    dataType: kind === 'integer' ? 'number' : kind,
    dimensionIds: isScoped ? [proposal.dimension.id] : [],
    unique: values.length === 1 && values[0]!.isUnique,
    requiredInStateIds: isRequired ? [...proposal.requiredInStateIds] : [],
    guard: null,
    validation: kind === 'integer' ? { integer: true } : {},
    options: optionsOf(values, kind, room),
    units: kind === 'measurement' ? unitsOf(group) : [],
    currencies: kind === 'price' ? unitsOf(group).filter(isCurrency) : [],
  }
}

function optionsOf(values: readonly ProposedColumn[], kind: Kind, room: Room): NewOption[] {
  if (kind !== 'select' && kind !== 'multiSelect') return []
  const names = new OptionNames({ alias: values[0]!.alias, options: [] })
  for (const { facts } of values)
    for (const text of (kind === 'select' ? facts.options : (facts.parts ?? facts.options)) ?? []) {
      if (room.options <= 0) return names.added
      room.options -= 1
      names.add(text)
    }
  return names.added
}

/** Every unit that the file has; none where the file has too many to list. */
function unitsOf(group: readonly ProposedColumn[]): string[] {
  const column = group.find(({ part }) => part !== null)
  if (column !== undefined) return [...(column.facts.options ?? [])]
  const found = group.flatMap(({ unit, facts }) => [...(unit === null ? [] : [unit]), ...facts.units])
  return [...new Set(found)]
}
