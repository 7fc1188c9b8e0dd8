// The meaning of the columns: suggested, chosen, or taken from a profile, and saved as a profile. The page names
// ignored columns (I1). Contract 3 §4.
import { useState } from 'preact/hooks'
import type { Decimal } from '../../src/core/csv/source-dialect.ts'
import { Refusal } from '../api/failures.ts'
import { type Acting, useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { DraftForm } from '../kit/draft-form.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import { newKey } from '../state/new-key.ts'
import { t } from '../words/place.ts'
import { list } from '../words/words.ts'
import { ColumnRows } from './column-rows.tsx'
import { DecimalField } from './decimal-field.tsx'
import { isGone, type StepProps } from './steps.ts'
import { someOf } from './warnings.tsx'
import { doubled, lackedBy, mappingBody, type Profile } from './mapping.ts'
import { makeAttributes } from './make-attributes.ts'
import { KeepProfile } from './profiles.tsx'
import { RuleFields } from './rule-fields.tsx'

export function ColumnsStep(props: StepProps) {
  const { found, draft } = props
  const { model, router } = useConsole()
  const [isKeeping, setKeeping] = useState(false)
  const profiles = useProfiles()
  const known = profiles.data.value ?? []
  const { isBusy, decimal, setDecimal, rehearse } = useRehearsing(props, known)
  const { value } = draft
  const closedBecause = whyClosed(props)
  const making = useActing()
  const make = useMaking(props, making.act)
  return (
    <>
      <DraftForm
        class="columns-step"
        draft={draft}
        action={t('bulk.rehearse')}
        isBusy={isBusy}
        closedBecause={closedBecause}
        onSubmit={rehearse}
        buttons={
          <>
            {model.may('model.write') && found.format !== 'ndjson' && (
              <Button closedBecause={closedBecause} onClick={() => setKeeping(true)}>
                {t('imports.keepProfile')}
              </Button>
            )}
            {model.may('model.write') && found.format !== 'ndjson' && (
              <Button onClick={() => router.setQuery({ step: 'columns', schema: 'new' }, { isStep: true })}>
                {t('proposal.new')}
              </Button>
            )}
            {draft.isChanged && <Button onClick={draft.drop}>{t('discard')}</Button>}
          </>
        }
      >
        <RuleFields draft={value} put={draft.put} found={found} profiles={known} />
        {found.format === 'csv' && <DecimalField value={decimal} onChange={setDecimal} />}
        {found.format === 'ndjson' ? (
          <p>{t('imports.linesHelp')}</p>
        ) : (
          <ColumnRows draft={value} put={draft.put} found={found} onMake={make && ((index) => make([index]))} />
        )}
        <LeftOut {...props} isMaking={making.isBusy} onMake={make} />
      </DraftForm>
      {isKeeping && (
        <KeepProfile
          draft={value}
          columns={found.columns}
          profiles={known}
          onKept={(profileId) => {
            draft.put({ profileId })
            void profiles.refresh()
          }}
          onClose={() => setKeeping(false)}
        />
      )}
    </>
  )
}

function useProfiles() {
  const { call, model } = useConsole()
  const mayRead = model.may('model.read')
  return useQuery<readonly Profile[]>('import profiles', async (signal) =>
    mayRead ? (await call('GET /api/v1/import-profiles', { signal })).body : [],
  )
}

/**
 * Saves the meaning of the columns, and starts a rehearsal. The user chooses the decimal sign if the server cannot
 * detect it.
 */
function useRehearsing({ found, draft, query, goTo }: StepProps, profiles: readonly Profile[]) {
  const { call, jobs, offline } = useConsole()
  const { isBusy, act } = useActing()
  const [said, setDecimal] = useState<Decimal | null>(null)
  const [isAsked, setAsked] = useState(false)
  const params = { id: found.id }
  const rehearse = () =>
    act(async () => {
      await call('PUT /api/v1/imports/:id/mapping', { params, body: mappingBody(draft.value, found.columns, profiles) })
      const options = { params, query: { decimal: said ?? undefined }, idempotencyKey: newKey() }
      const { body: job } = await offline
        .write(() => call('POST /api/v1/imports/:id/dry-run', options))
        .catch((error: Error) => {
          // The mapping was accepted, so only the decimal sign is missing.
          setAsked(error instanceof Refusal && error.status === 400)
          throw error
        })
      draft.drop()
      jobs.watch(job)
      await query.refresh()
      goTo('rehearsal')
    })
  return { isBusy, decimal: said ?? (isAsked ? null : found.decimal), setDecimal, rehearse }
}

function whyClosed({ found, draft: { value } }: StepProps): string | undefined {
  if (isGone(found)) return t('imports.goneShort')
  if (found.status === 'running') return t('imports.runsStill')
  if (value.schemaId === '') return t('imports.schemaFirst')
  if (found.format === 'ndjson') return undefined
  if (value.columns.every(({ to }) => to === null)) return t('imports.columnFirst')
  if (doubled(value).size > 0) return t('imports.twice')
  const lacking = lackedBy(value)
  return lacking.length === 0 ? undefined : t('imports.lacking', { names: someOf(lacking) })
}

/** Makes attributes for columns; undefined: the role may not, or no schema is chosen. */
function useMaking(
  { found, draft }: StepProps,
  act: Acting['act'],
): ((indices: readonly number[]) => void) | undefined {
  const console = useConsole()
  const { model, status } = console
  if (!model.may('model.write') || found.format === 'ndjson' || model.schema(draft.value.schemaId) === undefined)
    return undefined
  return (indices) =>
    void act(async () => {
      const { names, columns } = await makeAttributes(console, found, draft.value, indices)
      draft.put({ columns })
      status.tell(t('form.saved', { name: list(names) }))
    })
}

interface LeftOutProps extends StepProps {
  readonly isMaking: boolean
  readonly onMake: ((indices: readonly number[]) => void) | undefined
}

function LeftOut({ found, draft: { value }, isMaking, onMake }: LeftOutProps) {
  const left = found.columns.filter((_, index) => value.columns[index]?.to === null)
  const headers = left.map(({ header }) => header)
  if (headers.length === 0) return null
  return (
    <div class="row warning">
      <p role="status">{t('imports.leftOut', { count: headers.length, names: someOf(headers) })}</p>
      {onMake !== undefined && headers.length > 1 && (
        <Button
          isBusy={isMaking}
          onClick={() => {
            // The button disappears: the focus moves to the button of the rehearsal.
            document.querySelector<HTMLElement>('.form-foot > .button')?.focus()
            onMake(left.map(({ index }) => index))
          }}
        >
          {t('imports.makeAttributes', { count: headers.length })}
        </Button>
      )}
    </div>
  )
}
