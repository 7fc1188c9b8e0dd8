// The templates, and the dialog that applies one: its languages and its workflow. Contract 5 §1.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { useSaving } from '../kit/acting.ts'
import { MultiCombobox } from '../kit/combobox.tsx'
import type { Option } from '../kit/choices.ts'
import { DialogForm } from '../kit/draft-form.tsx'
import { findLanguageDimension } from '../../src/core/model/rules/language-dimension.ts'
import { Field } from '../kit/field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { Shown } from '../kit/states.tsx'
import type { Endpoints } from '../api/types.ts'
import { useConsole, useRead } from '../state/context.ts'
import { newKey } from '../state/new-key.ts'
import { hinted, t } from '../words/place.ts'
import { language } from '../words/words.ts'
import { languageOptions, LANGUAGE_TAGS } from './languages.ts'
import { NewLanguages } from './warnings.tsx'

type Template = Endpoints['GET /api/v1/templates']['reply'][number]
type Workflow = NonNullable<Endpoints['POST /api/v1/templates/:id/apply']['body']['workflow']>

const WORKFLOWS = ['simple', 'review', 'complete'] as const

export function TemplateList() {
  const { model } = useConsole()
  const [chosen, setChosen] = useState<Template | undefined>(undefined)
  const query = useRead('templates', 'GET /api/v1/templates')
  return (
    <Shown query={query}>
      {(templates) => (
        <>
          <ul class="templates">
            {templates.map((template) => {
              const { id, description: name, descriptions: names, attributes, categories, schemaId } = template
              const isThere = model.schema(schemaId) !== undefined
              return (
                <li key={id} class="template">
                  <strong>{model.nameOf(template)}</strong>
                  <span class="quiet">{model.nameOf({ name, names })}</span>
                  <span class="quiet">{t('start.counts', { attributes, categories })}</span>
                  <Button
                    closedBecause={isThere ? t('start.isThere') : undefined}
                    label={t('start.use', { name: model.nameOf(template) })}
                    onClick={() => setChosen(template)}
                  >
                    {t('start.useShort')}
                  </Button>
                </li>
              )
            })}
          </ul>
          {chosen !== undefined && <Applying template={chosen} onClose={() => setChosen(undefined)} />}
        </>
      )}
    </Shown>
  )
}

function Applying({ template, onClose }: { readonly template: Template; readonly onClose: () => void }) {
  const { call, model, offline, router } = useConsole()
  const saving = useSaving()
  const known = languageOptions(language.value)
  const [languages, setLanguages] = useState<readonly Option[]>(() => firstLanguages(known))
  const [workflow, setWorkflow] = useState<Workflow>('simple')
  const dimension = findLanguageDimension(model.dimensions.value)
  const apply = () =>
    saving.act(async () => {
      const body = { languages: languages.map(({ id }) => id), workflow }
      const options = { params: { id: template.id }, body, idempotencyKey: newKey() }
      const { body: made } = await offline.write(() => call('POST /api/v1/templates/:id/apply', options))
      await model.load()
      router.go({ place: 'records', query: { schema: made.schemaId } })
    })
  return (
    <DialogForm
      guide="console#the-first-hour"
      title={t('start.use', { name: model.nameOf(template) })}
      action={t('start.make')}
      saving={saving}
      closedBecause={languages.length === 0 ? t('start.languageFirst') : undefined}
      onClose={onClose}
      onSubmit={apply}
    >
      <Field {...hinted('start.languages', 'start.languagesHelp')}>
        {(input) => <MultiCombobox input={input} options={known} values={languages} onChange={setLanguages} />}
      </Field>
      <NewLanguages
        dimensionId={dimension?.id}
        languages={languages.filter(({ id }) => dimension?.segments.some((one) => one.id === id) !== true)}
      />
      <SelectField
        label={t('model.workflow')}
        value={workflow}
        choices={WORKFLOWS.map((id) => ({ id, name: t(`start.workflow.${id}`) }))}
        onChange={(id) => setWorkflow(id as Workflow)}
        hint={t('start.workflowHelp')}
      />
    </DialogForm>
  )
}

/** The language of the console, and English. */
function firstLanguages(known: readonly Option[]): readonly Option[] {
  const wanted = [...new Set([language.value, LANGUAGE_TAGS[0]!])]
  return wanted.flatMap((id) => known.find((option) => option.id === id) ?? [])
}
