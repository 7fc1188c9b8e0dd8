// The table of a proposed schema: a row for each column of the file.
import { useMemo, useRef } from 'preact/hooks'
import { MAX_NAME } from '../../src/kernel/input/validation.ts'
import type { Kind } from '../../src/imports/rules/proposal/kinds.ts'
import { doubledColumns, newCatalog, type Proposal } from '../../src/imports/rules/proposal/proposal.ts'
import type { ProposedColumn } from '../../src/imports/rules/proposal/proposed-columns.ts'
import { Checkbox, type Choice, Select } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import { language, list, number } from '../words/words.ts'
import { languageOptions } from './languages.ts'
import {
  type Correction,
  fittingRows,
  forKind,
  nearKind,
  type ProposalDraft,
  withCorrection,
} from './proposal-draft.ts'

const KINDS: readonly Kind[] = [
  'text',
  'richText',
  'integer',
  'number',
  'boolean',
  'date',
  'dateTime',
  'select',
  'multiSelect',
  'measurement',
  'price',
  'url',
  'file',
  'categories',
]
/** The number of samples beside a header, and of options in a line. */
const SHOWN = 3

const HEADS = ['column', 'name', 'kind', 'rows'] as const

interface RowsProps {
  readonly proposal: Proposal
  readonly draft: ProposalDraft
  readonly put: (changes: Partial<ProposalDraft>) => void
}

export function ProposedRows(props: RowsProps) {
  const { proposal } = props
  const doubled = doubledColumns(proposal.columns)
  const languages = useLanguages(proposal)
  const latest = useRef(props)
  latest.current = props
  const change = (index: number, correction: Correction) => {
    const { draft, proposal: present, put } = latest.current
    put(withCorrection(draft, present, index, correction))
  }
  return (
    <ul>
      <li class="propose-row propose-head quiet" aria-hidden="true">
        {HEADS.map((head) => (
          <span key={head}>{t(`proposal.head.${head}`)}</span>
        ))}
      </li>
      {proposal.columns.map((column) => (
        <KeptRow
          key={column.index}
          column={column}
          rows={proposal.rows}
          fitting={fittingRows(proposal, column)}
          languages={languages}
          catalog={proposal.catalog}
          isDoubled={doubled.has(column.index)}
          onChange={(correction) => change(column.index, correction)}
          onCatalog={(catalog) => latest.current.put({ catalog })}
        />
      ))}
    </ul>
  )
}

interface RowProps {
  readonly column: ProposedColumn
  readonly rows: number
  /** The number of rows that fit. */
  readonly fitting: number
  readonly languages: readonly Choice[]
  /** null: the user may not write categories. */
  readonly catalog: Proposal['catalog']
  readonly isDoubled: boolean
  readonly onChange: (correction: Correction) => void
  readonly onCatalog: (catalog: Proposal['catalog']) => void
}

/** A key pressed in one row draws only this row again: a file may have hundreds of rows. */
function KeptRow(props: RowProps) {
  const { column, rows, fitting, languages, catalog, isDoubled } = props
  return useMemo(() => <ProposedRow {...props} />, [column, rows, fitting, languages, catalog, isDoubled])
}

function ProposedRow(props: RowProps) {
  const { column, onChange } = props
  const { header, closed, isTaken, part, name, facts } = column
  return (
    <li class={isTaken ? 'propose-row' : 'propose-row left-out'}>
      <div class="map-file">
        {closed === null ? (
          <Checkbox
            label={<strong dir="auto">{header}</strong>}
            isChecked={isTaken}
            onChange={(is) => onChange({ isTaken: is })}
          />
        ) : (
          <strong dir="auto">{header.trim() === '' ? t('proposal.noHeader') : header}</strong>
        )}
        <span class="samples quiet" dir="auto">
          {facts.samples.slice(0, SHOWN).join(' · ')}
        </span>
      </div>
      {closed !== null && <p class="quiet">{t(`proposal.closed.${closed}`)}</p>}
      {isTaken && part !== null && <p class="quiet">{t(`imports.part.${part}`, { name })}</p>}
      {isTaken && part === null && (
        <>
          {column.kind === 'categories' ? <CatalogChoice {...props} /> : <Naming {...props} />}
          <Typing {...props} />
          <Fitting {...props} />
        </>
      )}
      {isTaken && part !== null && <Fitting {...props} />}
    </li>
  )
}

/** The catalog of the paths: an existing catalog, or a new one with its name. */
function CatalogChoice({ catalog, onCatalog }: RowProps) {
  const { model } = useConsole()
  const present = model.workspace.value?.catalogs ?? []
  const isNew = catalog?.isNew === true
  return (
    <div class="propose-name">
      <Select
        label={t('proposal.catalog')}
        value={isNew ? '' : (catalog?.id ?? '')}
        choices={[...present, { id: '', name: t('proposal.newCatalog') }]}
        onChange={(id) => {
          const found = present.find((one) => one.id === id)
          onCatalog(found === undefined ? newCatalog(t('place.categories'), present) : { ...found, isNew: false })
        }}
      />
      {isNew && (
        <input
          aria-label={t('proposal.catalogName')}
          dir="auto"
          value={catalog.name}
          maxLength={MAX_NAME}
          onInput={(event) => onCatalog({ ...catalog, name: event.currentTarget.value })}
        />
      )}
      <span class="hint">{t('proposal.toCatalog')}</span>
    </div>
  )
}

function Naming({ column: { header, name, alias }, onChange }: RowProps) {
  return (
    <div class="propose-name">
      <input
        aria-label={t('proposal.nameOf', { header })}
        dir="auto"
        value={name}
        maxLength={MAX_NAME}
        onInput={(event) => onChange({ name: event.currentTarget.value })}
      />
      <input
        class="code"
        aria-label={t('proposal.aliasOf', { header })}
        value={alias}
        maxLength={64}
        spellcheck={false}
        onInput={(event) => onChange({ alias: event.currentTarget.value })}
      />
    </div>
  )
}

/** Returns the name of a kind, which attributes of the model share. */
function kindName(kind: Kind): string {
  if (kind === 'categories') return t('place.categories')
  return t(kind === 'integer' || kind === 'file' ? `proposal.kind.${kind}` : `type.${kind}`)
}

function Typing({ column, languages, catalog, onChange }: RowProps) {
  const { header, kind, unit, facts } = column
  const isText = kind === 'text' || kind === 'richText'
  const isAmount = kind === 'measurement' || kind === 'price'
  const options =
    kind === 'select' ? facts.options : kind === 'multiSelect' ? (facts.parts ?? facts.options) : undefined
  return (
    <div class="propose-type">
      <Select
        label={t('proposal.kindOf', { header })}
        value={kind}
        choices={KINDS.filter((id) => id !== 'categories' || catalog !== null).map((id) => ({
          id,
          name: kindName(id),
        }))}
        onChange={(id) => onChange(forKind(column, id as Kind))}
      />
      {isAmount && (
        <input
          aria-label={t(kind === 'price' ? 'proposal.currencyOf' : 'proposal.unitOf', { header })}
          placeholder={kind === 'price' ? 'EUR' : facts.units.join(', ') || 'kg'}
          value={unit ?? ''}
          maxLength={kind === 'price' ? 3 : 100}
          onInput={(event) => onChange({ unit: event.currentTarget.value.trim() || null })}
        />
      )}
      {(kind === 'file' || kind === 'url') && facts.pictures > 0 && (
        <Checkbox
          {...hinted('proposal.fetch', 'proposal.fetchHelp')}
          isChecked={kind === 'file'}
          onChange={(is) => onChange(forKind(column, is ? 'file' : 'url'))}
        />
      )}
      {isText && (
        <Select
          label={t('proposal.languageOf', { header })}
          value={column.language ?? ''}
          choices={languages}
          onChange={(id) => onChange({ language: id === '' ? null : id })}
        />
      )}
      {options !== undefined && (
        <span class="samples quiet" dir="auto" title={options === null ? undefined : list(options)}>
          {options === null
            ? t('proposal.manyOptions')
            : t('proposal.options', { count: options.length, names: options.slice(0, SHOWN).join(' · ') })}
        </span>
      )}
    </div>
  )
}

/** The languages of the proposal, of the workspace, and others. */
function useLanguages({ dimension, segments }: Proposal): readonly Choice[] {
  const { model } = useConsole()
  const spoken = language.value
  const dimensions = model.dimensions.value
  const told = JSON.stringify(segments)
  return useMemo(() => {
    const present = dimensions.find(({ id }) => id === dimension.id)?.segments ?? []
    const known = new Map([
      ...languageOptions(spoken).map(({ id, name }) => [id, name] as const),
      ...present.map((segment) => [segment.id, model.nameOf(segment)] as const),
      ...segments.map((segment) => [segment.language, segment.name] as const),
    ])
    return [{ id: '', name: t('proposal.allLanguages') }, ...[...known].map(([id, name]) => ({ id, name }))]
  }, [spoken, dimensions, told])
}

function Fitting({ column, rows, fitting, isDoubled, onChange }: RowProps) {
  const { kind, language: spoken, isUnique, isRequired, facts, part } = column
  const fits = fitting === rows
  const near = nearKind(column)
  return (
    <div class="propose-fit">
      <span class={`sign ${fits ? 'good' : 'wait'}`}>
        <Icon name={fits ? 'good' : 'wait'} />
        {t('proposal.fit', { fit: number(fitting), rows: number(rows) })}
      </span>
      {near !== undefined && (
        <span class="quiet">
          {t('proposal.near', {
            count: number(facts.fits[near]),
            filled: number(facts.filled),
            kind: kindName(near),
          })}
          {near.startsWith('date') && ` ${t('proposal.oneFormat')}`}
        </span>
      )}
      {isDoubled && (
        <span class="fault">
          <Icon name="bad" />
          {t('imports.doubled')}
        </span>
      )}
      {part === null && kind !== 'categories' && facts.filled === rows && (
        <Checkbox
          label={t('proposal.required')}
          isChecked={isRequired}
          onChange={(is) => onChange({ isRequired: is })}
        />
      )}
      {part === null && facts.isUnique && kind === 'text' && spoken === null && (
        <Checkbox label={t('proposal.unique')} isChecked={isUnique} onChange={(is) => onChange({ isUnique: is })} />
      )}
    </div>
  )
}
