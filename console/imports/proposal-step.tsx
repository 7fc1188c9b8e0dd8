// A schema that the file proposes: the user checks and corrects it, and one job makes and fills it. Contract 5 §1.
import type { Proposal } from '../../src/imports/rules/proposal/proposal.ts'
import { FormFoot } from '../kit/draft-form.tsx'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { useSaveKey } from '../kit/save-key.ts'
import { SelectField } from '../kit/select-field.tsx'
import { Shown } from '../kit/states.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import { list, number } from '../words/words.ts'
import { DecimalField } from './decimal-field.tsx'
import { correct, faultOf, newLanguages, type ProposalDraft, withoutLanguages } from './proposal-draft.ts'
import { ProposedRows } from './proposed-rows.tsx'
import { isGone, type StepProps } from './steps.ts'
import { useBeginning, useProposal } from './use-proposal.ts'
import { LoneCells, NewLanguages } from './warnings.tsx'

export function ProposalStep(props: StepProps) {
  const { query, draft, setDecimal } = useProposal(props)
  return (
    <Shown query={query} class="proposal">
      {(proposal) => (
        <>
          {props.found.format === 'csv' && proposal.decimal === null && (
            <DecimalField value={null} onChange={setDecimal} />
          )}
          <Correcting {...props} original={proposal} corrections={draft} />
        </>
      )}
    </Shown>
  )
}

interface CorrectingProps extends StepProps {
  readonly original: Proposal
  readonly corrections: ReturnType<typeof useProposal>['draft']
}

function Correcting(props: CorrectingProps) {
  const { found, original, corrections } = props
  const { model, router } = useConsole()
  const { isBusy, begin } = useBeginning(props, corrections.drop)
  const proposal = correct(original, corrections.value)
  const fault = faultOf(proposal, (id) => model.schema(id) !== undefined)
  const closedBecause = isGone(found)
    ? t('imports.goneShort')
    : found.status === 'running'
      ? t('imports.runsStill')
      : found.format === 'csv' && proposal.decimal === null
        ? t('proposal.decimalFirst')
        : fault && t(fault)
  const { rows, isWhole } = proposal
  const { dimension } = proposal
  const added = newLanguages(proposal, model.dimensions.value)
  const rehearse = () => begin(proposal, 'dry-run')
  // Ctrl+S starts the rehearsal, like in other mappings: a table of many columns has many fields before its buttons.
  useSaveKey(() => closedBecause === undefined && !isBusy && void rehearse())
  return (
    <>
      <Head proposal={proposal} put={corrections.put} />
      <LoneCells {...proposal} />
      <NewLanguages dimensionId={dimension.id} languages={added}>
        <Button onClick={() => corrections.put(withoutLanguages(corrections.value, proposal, added))}>
          {t('proposal.withoutLanguages')}
        </Button>
      </NewLanguages>
      <ProposedRows proposal={proposal} draft={corrections.value} put={corrections.put} />
      {!isWhole && <p class="hint">{t('proposal.beginning', { count: rows })}</p>}
      <FormFoot
        action={isWhole ? t('proposal.make', { count: rows }) : t('proposal.makeAll')}
        isBusy={isBusy}
        closedBecause={closedBecause}
        onClick={() => begin(proposal, 'run')}
      >
        <Button isBusy={isBusy} closedBecause={closedBecause} onClick={rehearse}>
          {t('bulk.rehearse')}
        </Button>
        {corrections.isChanged && <Button onClick={corrections.drop}>{t('discard')}</Button>}
        {model.schemas.value.length > 0 && (
          <Button onClick={() => router.setQuery({ step: 'columns', schema: 'present' }, { isStep: true })}>
            {t('proposal.present')}
          </Button>
        )}
      </FormFoot>
    </>
  )
}

function Head({
  proposal,
  put,
}: {
  readonly proposal: Proposal
  readonly put: (changes: Partial<ProposalDraft>) => void
}) {
  const { name, schemaId, labelAttribute, columns, segments, rows } = proposal
  const taken = columns.filter(({ isTaken, part, kind }) => isTaken && part === null && kind !== 'categories')
  const attributes = new Map(taken.map((column) => [column.alias, column.name]))
  const names = [...attributes.values()]
  // Two columns may have the same heading.
  const labels = [...attributes].map(([id, of]) => ({
    id,
    name: names.indexOf(of) === names.lastIndexOf(of) ? of : `${of} (${id})`,
  }))
  const spoken = segments.filter(({ language }) => taken.some((column) => column.language === language))
  return (
    <section class="proposal-head">
      <p>{t('proposal.lead')}</p>
      <div class="rules">
        <TextField {...hinted('proposal.schemaName')} value={name} onInput={(text) => put({ name: text })} />
        <TextField {...hinted('proposal.schemaId')} value={schemaId} onInput={(text) => put({ schemaId: text })} />
        <SelectField
          {...hinted('proposal.label')}
          value={labelAttribute ?? ''}
          choices={labelAttribute === null ? [{ id: '', name: t('none') }, ...labels] : labels}
          onChange={(alias) => put({ labelAttribute: alias })}
        />
      </div>
      <p class="quiet" role="status">
        {t('proposal.sum', { rows: number(rows), attributes: attributes.size })}
        {spoken.length > 0 && ` ${t('proposal.languages', { names: list(spoken.map((one) => one.name)) })}`}
      </p>
    </section>
  )
}
