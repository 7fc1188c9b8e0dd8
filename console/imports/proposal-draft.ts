// Corrections of a proposed schema. Pure. Contract 5 §1.
import { isCurrency } from '../../src/core/values/currencies.ts'
import type { Kind } from '../../src/imports/rules/proposal/kinds.ts'
import { doubledColumns, fittingCells, type Proposal } from '../../src/imports/rules/proposal/proposal.ts'
import type { Dimension } from '../../src/core/model/rules/dimension.ts'
import type { ProposedColumn } from '../../src/imports/rules/proposal/proposed-columns.ts'

export type Correction = Partial<
  Pick<ProposedColumn, 'isTaken' | 'alias' | 'name' | 'kind' | 'language' | 'unit' | 'isUnique' | 'isRequired'>
>

/** The edited parts of a proposal, without the facts of its columns. */
export interface ProposalDraft {
  readonly name: string | null
  readonly schemaId: string | null
  readonly labelAttribute: string | null
  /** The catalog of the categories. */
  readonly catalog?: Proposal['catalog']
  /** Corrections by the index of the column. */
  readonly columns: readonly (readonly [index: number, correction: Correction])[]
}

export const NO_CORRECTIONS: ProposalDraft = { name: null, schemaId: null, labelAttribute: null, columns: [] }

export function correct(proposal: Proposal, draft: ProposalDraft): Proposal {
  const corrections = new Map(draft.columns)
  // A column without corrections stays the same object, so that its row is not drawn again.
  const columns = proposal.columns.map((column) => {
    const correction = corrections.get(column.index)
    return correction === undefined ? column : { ...column, ...correction }
  })
  const languages = new Set(proposal.segments.map(({ language }) => language))
  const added = [...new Set(columns.flatMap(({ language }) => language ?? []))].filter((one) => !languages.has(one))
  return {
    ...proposal,
    name: draft.name ?? proposal.name,
    schemaId: draft.schemaId ?? proposal.schemaId,
    labelAttribute: draft.labelAttribute ?? proposal.labelAttribute,
    catalog: draft.catalog ?? proposal.catalog,
    segments: [...proposal.segments, ...added.map((language) => ({ language, id: language, name: language }))],
    columns,
  }
}

/** Corrects a column, and with it the other columns of its attribute. */
export function withCorrection(
  draft: ProposalDraft,
  { columns }: Proposal,
  index: number,
  correction: Correction,
): ProposalDraft {
  const corrections = new Map(draft.columns)
  const { alias } = columns[index]!
  const { isTaken: _taken, language: _language, unit: _unit, isUnique: _unique, ...shared } = correction
  for (const column of columns) {
    const own =
      column.index === index ? correction : column.alias === alias && column.part === null ? shared : undefined
    if (own !== undefined && Object.keys(own).length > 0)
      corrections.set(column.index, { ...corrections.get(column.index), ...own })
  }
  return { ...draft, columns: [...corrections] }
}

type Languages = Proposal['segments']

/** Languages of taken columns that the dimension of languages lacks. */
export function newLanguages({ columns, segments, dimension }: Proposal, dimensions: readonly Dimension[]): Languages {
  const known = dimensions.find(({ id }) => id === dimension.id)?.segments ?? []
  return segments.filter(
    ({ id, language }) =>
      !known.some((one) => one.id === id) &&
      columns.some((column) => column.isTaken && column.kind !== 'categories' && column.language === language),
  )
}

/** Leaves out the columns of some languages. */
export function withoutLanguages(draft: ProposalDraft, proposal: Proposal, languages: Languages): ProposalDraft {
  return proposal.columns
    .filter(({ language }) => languages.some((one) => one.language === language))
    .reduce((result, { index }) => withCorrection(result, proposal, index, { isTaken: false }), draft)
}

/** Sets the unit and the uniqueness of a column for its new kind. */
export function forKind(column: ProposedColumn, kind: Kind): Correction {
  const isAmount = kind === 'measurement' || kind === 'price'
  const unit = isAmount ? (column.unit ?? column.facts.units[0] ?? null) : null
  const isUnique = column.isUnique && kind === 'text'
  return { kind, unit, isUnique, ...(kind === 'categories' ? { language: null } : {}) }
}

/** Rows of the file whose cell of the column fits. */
export function fittingRows({ columns, rows }: Proposal, column: ProposedColumn): number {
  const hasUnits = columns.some(({ alias, part, isTaken }) => isTaken && part !== null && alias === column.alias)
  return rows - column.facts.filled + fittingCells(column, hasUnits)
}

const STRICTER = ['date', 'dateTime', 'integer', 'number', 'price'] as const
/**
 * The least part of the cells of another kind, with which a column of texts nearly is of this kind. Dates may be
 * written in several formats.
 */
const NEARLY = { date: 0.3, dateTime: 0.3, integer: 0.8, number: 0.8, price: 0.8 }

/** Returns the kind of most, but not all, cells of a column of texts; undefined: none. */
export function nearKind({ kind, language, part, facts }: ProposedColumn): (typeof STRICTER)[number] | undefined {
  if (kind !== 'text' || language !== null || part !== null) return undefined
  // `0012` is a code; `02.03.2025` is a date.
  const possible = facts.hasLeadingZero ? STRICTER.slice(0, 2) : STRICTER
  const [best] = possible.toSorted((one, other) => facts.fits[other] - facts.fits[one])
  const count = facts.fits[best!]
  return count < facts.filled && count >= NEARLY[best!] * facts.filled ? best : undefined
}

const ALIAS = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const ID = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/

/** Returns the reason why the schema cannot be made; undefined: it can. @param isThere returns whether a schema exists */
export function faultOf(proposal: Proposal, isThere: (schemaId: string) => boolean): Word | undefined {
  const all = proposal.columns.filter(({ isTaken }) => isTaken)
  const taken = all.filter(({ kind }) => kind !== 'categories')
  if (proposal.name.trim() === '') return 'proposal.nameFirst'
  if (!ID.test(proposal.schemaId)) return 'proposal.schemaIdWrong'
  if (isThere(proposal.schemaId)) return 'proposal.schemaIdTaken'
  if (!taken.some(({ part }) => part === null)) return 'proposal.columnFirst'
  if (taken.some(({ name }) => name.trim() === '')) return 'proposal.namesFirst'
  if (taken.some(({ alias }) => !ALIAS.test(alias))) return 'proposal.aliasWrong'
  if (doubledColumns(proposal.columns).size > 0) return 'imports.twice'
  if (taken.some(({ kind, unit, part }) => part === null && kind === 'price' && unit !== null && !isCurrency(unit)))
    return 'proposal.currencyWrong'
  return undefined
}

/** Words without holes that corrections use. */
type Word =
  | 'proposal.nameFirst'
  | 'proposal.schemaIdWrong'
  | 'proposal.schemaIdTaken'
  | 'proposal.columnFirst'
  | 'proposal.namesFirst'
  | 'proposal.aliasWrong'
  | 'proposal.currencyWrong'
  | 'imports.twice'
