// The mapping of a zip: the records that get its files, and the attribute that contains them. Contract 4 §4.
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { Button } from '../kit/button.tsx'
import { DraftForm } from '../kit/draft-form.tsx'
import { TextField } from '../kit/field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { useActing } from '../kit/acting.ts'
import type { FormDraft } from '../state/form-draft.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { newKey } from '../state/new-key.ts'
import { hinted, t } from '../words/place.ts'
import { isGone, type StepProps } from './steps.ts'
import type { ZipDraft } from './zip-draft.ts'

type ZipProps = Pick<StepProps, 'found' | 'query' | 'goTo'> & { readonly zip: FormDraft<ZipDraft> }

export function ZipStep(props: ZipProps) {
  const { found, zip } = props
  const { isBusy, rehearse } = useRehearsing(props)
  const takers = useConsole().model.schema(zip.value.schemaId)?.attributes.filter(takesFiles)
  return (
    <DraftForm
      class="columns-step"
      draft={zip}
      action={t('bulk.rehearse')}
      isBusy={isBusy}
      closedBecause={whyClosed(props, takers)}
      onSubmit={rehearse}
      buttons={zip.isChanged && <Button onClick={zip.drop}>{t('discard')}</Button>}
    >
      <ZipFields zip={zip} takers={takers} />
      <TextField
        {...hinted('imports.zipPattern', 'imports.zipPatternHelp')}
        value={zip.value.pattern}
        onInput={(pattern) => zip.put({ pattern })}
      />
      <p>{t('imports.zipFiles', { count: found.files ?? 0 })}</p>
      <ul class="quiet">
        {(found.samples ?? []).slice(0, SHOWN).map((name) => (
          <li key={name} dir="auto">
            {name}
          </li>
        ))}
      </ul>
    </DraftForm>
  )
}

/** Names of files that are shown. */
const SHOWN = 10

/** Attributes that take files; undefined: no schema is chosen. */
type Takers = readonly Attribute[] | undefined

function ZipFields({ zip: { value, put }, takers }: Pick<ZipProps, 'zip'> & { readonly takers: Takers }) {
  const { model } = useConsole()
  const attributes = model.schema(value.schemaId)?.attributes ?? []
  const none = { id: '', name: t('choose') }
  const choicesOf = (some: readonly Attribute[]) => some.map((one) => ({ id: one.alias, name: model.nameOf(one) }))
  return (
    <div class="rules">
      <SelectField
        {...hinted('schema', 'hint.imports.zipSchema')}
        value={value.schemaId}
        choices={[none, ...model.schemas.value.map((schema) => ({ id: schema.id, name: model.nameOf(schema) }))]}
        onChange={(schemaId) => put({ schemaId, attributeAlias: '', matchBy: 'id' })}
      />
      <SelectField
        {...hinted('imports.matchBy', 'hint.imports.zipMatchBy')}
        value={value.matchBy}
        choices={[{ id: 'id', name: t('imports.byId') }, ...choicesOf(attributes.filter(({ unique }) => unique))]}
        onChange={(matchBy) => put({ matchBy })}
      />
      {takers?.length === 0 ? (
        <p class="warning" role="status">
          <span>
            {t('imports.zipNoAttribute')}{' '}
            <a href={writeAddress({ place: 'schemas', id: value.schemaId })}>{t('imports.zipAddAttribute')}</a>
          </span>
        </p>
      ) : (
        <SelectField
          {...hinted('imports.zipAttribute')}
          value={value.attributeAlias}
          choices={[none, ...choicesOf(takers ?? [])]}
          onChange={(attributeAlias) => put({ attributeAlias })}
        />
      )}
      <SelectField
        {...hinted('imports.zipMode')}
        value={value.mode}
        choices={[
          { id: 'append', name: t('imports.zipAppend') },
          { id: 'replace', name: t('imports.zipReplace') },
        ]}
        onChange={(mode) => put({ mode: mode === 'replace' ? 'replace' : 'append' })}
      />
    </div>
  )
}

function takesFiles(attribute: Attribute): boolean {
  return dataTypeOf(attribute).files !== undefined || attribute.dataType === 'references'
}

function useRehearsing({ found, zip, query, goTo }: ZipProps) {
  const { call, jobs, offline } = useConsole()
  const { isBusy, act } = useActing()
  const params = { id: found.id }
  const rehearse = () =>
    act(async () => {
      await call('PUT /api/v1/imports/:id/mapping', { params, body: zip.value })
      const options = { params, idempotencyKey: newKey() }
      const { body: job } = await offline.write(() => call('POST /api/v1/imports/:id/dry-run', options))
      zip.drop()
      jobs.watch(job)
      await query.refresh()
      goTo('rehearsal')
    })
  return { isBusy, rehearse }
}

function whyClosed({ found, zip: { value } }: ZipProps, takers: Takers): string | undefined {
  if (isGone(found)) return t('imports.goneShort')
  if (found.status === 'running') return t('imports.runsStill')
  if (value.schemaId === '') return t('imports.schemaFirst')
  if (takers?.length === 0) return t('imports.zipNoAttribute')
  return value.attributeAlias === '' ? t('imports.zipAttributeFirst') : undefined
}
