// A template of product sheets: its form, also for a new template. Contract 5 §4.
import { useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { TextField } from '../kit/field.tsx'
import { EditHead } from '../kit/edit-head.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { useSaveKey } from '../kit/save-key.ts'
import { SelectField } from '../kit/select-field.tsx'
import { Shown } from '../kit/states.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { useConsole, useQuery, useRead } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { hinted, t } from '../words/place.ts'
import { DEFAULT_PRESET, PAPERS, PICTURE_SIZES } from '../../src/product-sheets/rules/sheet-limits.ts'
import { NEW, newTemplate, type TemplateBody, type TemplatePartProps, toBody } from './template-draft.ts'
import { SectionFields } from './section-fields.tsx'

const above = () => ({ title: t('place.sheets'), place: 'sheets' })

export function TemplatePage() {
  const { call, router, model } = useConsole()
  const [id] = useState(router.id.peek() ?? NEW)
  const query = useQuery(`sheets template ${id}`, async (signal): Promise<TemplateBody> => {
    if (id === NEW) return newTemplate(model.schemas.peek()[0]?.id ?? '')
    return toBody((await call('GET /api/v1/sheet-templates/:id', { params: { id }, signal })).body)
  })
  return (
    <>
      {query.data.value === undefined && <PlaceHead title={t('sheets.addTemplate')} above={above()} />}
      <Shown query={query}>{(template) => <TemplateForm id={id} stored={template} />}</Shown>
    </>
  )
}

function useTemplate(id: string, stored: TemplateBody) {
  const { call, cache, router, status } = useConsole()
  const acting = useActing()
  const draft = useFormDraft<TemplateBody>(`sheet template ${id}`, stored)
  const { value } = draft
  const isNamed = value.name.trim() !== ''
  const closedBecause = isNamed ? (draft.isChanged ? undefined : t('form.nothingChanged')) : t('form.nameFirst')
  const leave = () => {
    draft.drop()
    cache.refreshAll('sheets')
    router.go({ place: 'sheets' })
  }
  const save = () =>
    void acting.act(async () => {
      if (id === NEW) await call('POST /api/v1/sheet-templates', { body: value })
      else await call('PUT /api/v1/sheet-templates/:id', { params: { id }, body: value })
      status.tell(t('form.saved', { name: value.name }))
      leave()
    })
  useSaveKey(() => closedBecause === undefined && save())
  const remove = () => call('DELETE /api/v1/sheet-templates/:id', { params: { id } })
  return { draft, isBusy: acting.isBusy, closedBecause, save, remove, leave }
}

function TemplateForm({ id, stored }: { readonly id: string; readonly stored: TemplateBody }) {
  const { draft, isBusy, closedBecause, save, remove, leave } = useTemplate(id, stored)
  const { value, put } = draft
  return (
    <>
      <EditHead
        title={value.name.trim() === '' ? t('sheets.addTemplate') : value.name}
        above={above()}
        id={id === NEW ? '' : id}
        draft={draft}
        main={{ title: t('save'), isBusy, closedBecause, onClick: save }}
        deletion={
          id === NEW ? undefined : { name: value.name, help: t('sheets.deleteTemplateHelp'), remove, onDone: leave }
        }
      />
      <div class="page sections">
        <TextFields value={value} put={put} isNew={id === NEW} />
        <LookFields value={value} put={put} />
        <SectionFields value={value} put={put} />
      </div>
    </>
  )
}

function TextFields({ value, put, isNew }: TemplatePartProps & { readonly isNew: boolean }) {
  const { model } = useConsole()
  return (
    <section class="form narrow">
      <TextField label={t('name')} value={value.name} isRequired hasFocus={isNew} onInput={(name) => put({ name })} />
      {isNew && (
        <SelectField
          {...hinted('schema', 'hint.sheets.templateSchema')}
          value={value.schemaId}
          choices={model.schemas.value.map((schema) => ({ id: schema.id, name: model.nameOf(schema) }))}
          onChange={(schemaId) => put({ schemaId, sections: [{ heading: '', attributeAliases: [] }], pictures: [] })}
        />
      )}
      <TextField
        {...hinted('sheets.heading', 'sheets.headingHelp')}
        value={value.heading ?? ''}
        onInput={(heading) => put({ heading })}
      />
      <TextArea
        {...hinted('sheets.footer', 'sheets.footerHelp')}
        value={value.footer ?? ''}
        onInput={(footer) => put({ footer })}
      />
    </section>
  )
}

/** Paper, pictures and language. */
function LookFields({ value, put }: TemplatePartProps) {
  const presets = useRead('sheets presets', 'GET /api/v1/rendition-presets').data.value ?? []
  const { preset = DEFAULT_PRESET } = value
  return (
    <section class="form narrow">
      <SelectField
        {...hinted('sheets.paper')}
        value={value.paper ?? 'A4'}
        choices={PAPERS.map((paper) => ({ id: paper, name: t(`sheets.paper.${paper}`) }))}
        onChange={(id) => put({ paper: PAPERS.find((paper) => paper === id) ?? 'A4' })}
      />
      <SelectField
        {...hinted('sheets.pictureSize')}
        value={value.pictureSize ?? 'medium'}
        choices={PICTURE_SIZES.map((size) => ({ id: size, name: t(`sheets.size.${size}`) }))}
        onChange={(id) => put({ pictureSize: PICTURE_SIZES.find((size) => size === id) ?? 'medium' })}
      />
      <SelectField
        {...hinted('sheets.preset')}
        value={preset}
        choices={[...new Set([preset, ...presets.map(({ id }) => id)])].map((id) => ({ id, name: id }))}
        onChange={(id) => put({ preset: id })}
      />
      <TextField
        {...hinted('sheets.language')}
        value={value.language ?? ''}
        onInput={(language) => put({ language: language.trim() === '' ? null : language.trim() })}
      />
    </section>
  )
}
