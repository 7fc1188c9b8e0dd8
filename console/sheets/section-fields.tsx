// The sections of a template: headings and attributes in order; and the attributes with pictures.
import { Button } from '../kit/button.tsx'
import type { Option } from '../kit/choices.ts'
import { TextField } from '../kit/field.tsx'
import { IdsField } from '../kit/ids-field.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import type { TemplatePartProps } from './template-draft.ts'

const PICTURED: ReadonlySet<string> = new Set(['file', 'reference', 'references'])

export function SectionFields({ value, put }: TemplatePartProps) {
  const { model } = useConsole()
  const attributes = (model.schema(value.schemaId)?.rules.attributes ?? []).filter(
    ({ alias }) => model.access(value.schemaId, alias) !== 'none',
  )
  const toOption = (attribute: (typeof attributes)[number]): Option => ({
    id: attribute.alias,
    name: model.nameOf(attribute),
  })
  const { sections } = value
  const change = (at: number, changes: Partial<(typeof sections)[number]>) =>
    put({ sections: sections.map((section, index) => (index === at ? { ...section, ...changes } : section)) })
  return (
    <section class="form">
      {sections.map((section, at) => (
        <fieldset key={at} class="form">
          <legend>{t('sheets.section', { at: at + 1 })}</legend>
          <TextField
            label={t('sheets.sectionHeading', { at: at + 1 })}
            hint={t('hint.sheets.sectionHeading')}
            value={section.heading ?? ''}
            onInput={(heading) => change(at, { heading })}
          />
          <IdsField
            label={t('sheets.attributes', { at: at + 1 })}
            hint={t('sheets.attributesHelp')}
            options={attributes.map(toOption)}
            ids={section.attributeAliases}
            onChange={(attributeAliases) => change(at, { attributeAliases })}
          />
          <div class="row">
            <Button
              kind="quiet"
              icon="delete"
              onClick={() => put({ sections: sections.filter((_, index) => index !== at) })}
            >
              {t('sheets.removeSection', { at: at + 1 })}
            </Button>
          </div>
        </fieldset>
      ))}
      <div class="row">
        <Button icon="add" onClick={() => put({ sections: [...sections, { heading: '', attributeAliases: [] }] })}>
          {t('sheets.addSection')}
        </Button>
      </div>
      <IdsField
        {...hinted('sheets.pictures', 'sheets.picturesHelp')}
        options={attributes.filter(({ dataType }) => PICTURED.has(dataType)).map(toOption)}
        ids={value.pictures ?? []}
        onChange={(pictures) => put({ pictures })}
      />
    </section>
  )
}
