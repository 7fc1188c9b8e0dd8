// The first proposal for a file, before corrections. Pure. Contract 5 §1.
import type { Decimal, Delimiter } from '../../../core/csv/source-dialect.ts'
import { findLanguageDimension, nameOfLanguage } from '../../../core/model/rules/language-dimension.ts'
import type { Model } from '../../../core/model/rules/model.ts'
import { slugOf } from '../option-names.ts'
import type { ColumnCounter } from './column-facts.ts'
import { freeId, newCatalog, type Proposal } from './proposal.ts'
import type { ProposedColumn } from './proposed-columns.ts'

export type CountedFile = Pick<Proposal, 'rows' | 'isWhole' | 'loneCells' | 'decimal' | 'columns'>

/** Each column of numbers has a vote. Where commas separate cells, numbers mostly have dots. */
export function decimalOf(delimiter: Delimiter | null, counters: readonly ColumnCounter[]): Decimal | null {
  const votes = counters.map(({ decimal }) => decimal)
  const [commas, dots] = [votes.filter((vote) => vote === ',').length, votes.filter((vote) => vote === '.').length]
  if (commas + dots === 0) return votes.includes(null) ? null : '.'
  return commas > (delimiter === ',' ? 2 * dots : dots) ? ',' : '.'
}

/** The present parts of a workspace. `catalogs`: undefined if the caller may not write categories. */
interface Present {
  readonly model: Model
  readonly catalogs: readonly { readonly id: string; readonly name: string }[] | undefined
}

export function proposalOf(fileName: string, counted: CountedFile, { model, catalogs }: Present): Proposal {
  const name =
    fileName
      .replace(/\.[^.]*$/, '')
      .replaceAll(/[\s_-]+/g, ' ')
      .trim()
      .toWellFormed()
      .slice(0, 100) || 'Products'
  const workflow = model.workflows.get('wf-default') ?? [...model.workflows.values()][0]
  const later = workflow?.states.filter(({ id }) => id !== workflow.initialStateId).map(({ id }) => id) ?? []
  const dimension = findLanguageDimension([...model.dimensions.values()])
  const languages = [...new Set(counted.columns.flatMap(({ language }) => language ?? []))]
  return {
    ...counted,
    schemaId: freeId(`sch-${slugOf(name).slice(0, 60)}`, model.schemas),
    name,
    workflowId: workflow?.id ?? '',
    requiredInStateIds: later,
    dimension: { id: dimension?.id ?? 'language', name: dimension?.name ?? 'Language' },
    segments: languages.map((language) => ({ language, ...segmentFor(language, dimension?.segments ?? []) })),
    labelAttribute: labelOf(counted.columns),
    catalog: catalogs === undefined ? null : catalogFor(name, catalogs),
  }
}

/** A workspace with one catalog has that for its products. */
function catalogFor(name: string, catalogs: NonNullable<Present['catalogs']>) {
  const [first, ...others] = catalogs
  if (first !== undefined && others.length === 0) return { id: first.id, name: first.name, isNew: false }
  return newCatalog(name, catalogs)
}

/** The segment of the language, if there is one: `de-AT` is also found as `de_AT`. */
function segmentFor(language: string, segments: readonly { readonly id: string; readonly name: string }[]) {
  const plain = (id: string): string => id.toLowerCase().replace('_', '-')
  const found =
    segments.find(({ id }) => plain(id) === plain(language)) ??
    segments.find(({ id }) => plain(id).split('-')[0] === language)
  return { id: found?.id ?? language, name: found?.name ?? nameOfLanguage(language) ?? language }
}

/** The name of a product, else its first text. */
function labelOf(columns: readonly ProposedColumn[]): string | null {
  const texts = columns.filter(({ isTaken, kind, part }) => isTaken && part === null && kind === 'text')
  const named = texts.find(({ alias }) =>
    /^(?:name|title|titel|bezeichnung|nom)$|(?:Name|name|bezeichnung|titel)$/.test(alias),
  )
  return (named ?? texts.find(({ isUnique }) => !isUnique) ?? texts[0])?.alias ?? null
}
