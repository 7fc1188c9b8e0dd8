// One picture of a list: its focus point, and its texts in each language. Both belong to the record of the picture, and
// are saved at once.
import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { findLanguageDimension } from '../../src/core/model/rules/language-dimension.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { readValue } from '../fields/fields.ts'
import { useLocale } from '../fields/use-locale.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import { storedValue } from '../grid/cell-value.ts'
import { useSaving } from '../kit/acting.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { sayFailure } from '../kit/failure-text.ts'
import { Field } from '../kit/field.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import type { ModelState } from '../state/model.ts'
import type { PictureSchema } from '../state/pictures.ts'
import { t } from '../words/place.ts'
import { FocusPoint } from './focus-point.tsx'
import type { PictureProps } from './known-pictures.ts'

export function PictureDetails(
  props: PictureProps & { readonly onClose: () => void; readonly children: ComponentChildren },
) {
  const { picture, pictures, onClose, children } = props
  const { model } = useConsole()
  const mayWrite = model.may('records.update')
  const texts = useMemo(() => textsOf(model, pictures), [model.dimensions.value, pictures.schema])
  const onKeyDown = (event: KeyboardEvent): void => {
    // Escape closes these details; elsewhere in a record, Escape discards the list, or closes the panel.
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  return (
    <div class="picture-details" role="group" aria-label={picture.file?.fileName ?? picture.id} onKeyDown={onKeyDown}>
      <div class="row">
        <bdi class="grow">{picture.file?.fileName}</bdi>
        <Button kind="quiet" icon="close" label={t('close')} onClick={onClose} />
      </div>
      <div class="row">
        {children}
        <LinkButton kind="quiet" icon="external" href={writeAddress({ place: 'records', id: picture.id })}>
          {t('gallery.open')}
        </LinkButton>
      </div>
      <FocusPoint {...props} isReadOnly={!mayWrite} />
      <div class="picture-texts">
        {texts.map(({ attribute, scope }) => (
          <PictureText
            key={`${attribute.alias} ${model.scopeName(scope)}`}
            {...props}
            attribute={attribute}
            scope={scope}
            isReadOnly={!mayWrite || model.access(pictures.schema.id, attribute.alias) !== 'write'}
          />
        ))}
        {mayWrite && texts.length > 0 && <p class="hint">{t('gallery.textsHelp')}</p>}
      </div>
    </div>
  )
}

interface TextPlace {
  readonly attribute: Attribute
  readonly scope: Scope
}

/** Returns the texts of a picture: the label, and texts with languages in each language. */
function textsOf(model: ModelState, { schema }: PictureSchema): readonly TextPlace[] {
  const language = findLanguageDimension(model.dimensions.value)
  const isText = ({ dataType, alias }: Attribute) =>
    (dataType === 'text' || dataType === 'richText') && model.access(schema.id, alias) !== 'none'
  return schema.attributes.filter(isText).flatMap((attribute): TextPlace[] => {
    if (language !== undefined && attribute.dimensionIds.includes(language.id))
      return language.segments.map(({ id }) => ({ attribute, scope: { [language.id]: id } }))
    return attribute.alias === schema.labelAttribute ? [{ attribute, scope: {} }] : []
  })
}

function PictureText(props: PictureProps & TextPlace & { readonly isReadOnly: boolean }) {
  const { attribute, scope, isReadOnly } = props
  const { model } = useConsole()
  const { shown, text, setText, fault, isBusy, commit } = useText(props)
  const name = model.nameOf(attribute)
  const language = model.scopeName(scope)
  return (
    <Field label={<bdi>{language === '' ? name : `${name} · ${language}`}</bdi>} error={fault}>
      {(input) => (
        <textarea
          {...input}
          rows={1}
          dir="auto"
          lang={Object.values(scope)[0]}
          readOnly={isReadOnly}
          aria-busy={isBusy}
          placeholder={t('noValue')}
          value={text ?? shown}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text !== undefined) {
              setText(undefined)
              event.preventDefault()
              event.stopPropagation()
            }
            // Ctrl+S also saves the record.
            if (event.key === 's' && (event.ctrlKey || event.metaKey)) commit()
          }}
        />
      )}
    </Field>
  )
}

/** The typed text until it is saved or discarded. */
function useText({ picture, known, attribute, scope }: PictureProps & TextPlace) {
  const locale = useLocale()
  const [text, setTyped] = useState<string | undefined>(undefined)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const { isBusy, error, forgetError, act } = useSaving()
  const stored = storedValue(picture.values, attribute.alias, scope) ?? null
  const shown = typeof stored === 'string' ? stored : ''
  const setText = (typed: string | undefined): void => {
    setTyped(typed)
    setProblem(undefined)
    forgetError()
  }
  const commit = (): void => {
    if (text === undefined || isBusy) return
    const reading = readValue(text, attribute, locale)
    if (reading.code !== undefined) return setProblem(t('record.problem', { problem: reading.problem }))
    if (isSameValue(reading.value, stored)) return setText(undefined)
    void act(async () => {
      await known.save(picture.id, attribute.alias, scope, reading.value)
      // A text typed during the save stays.
      setTyped((now) => (now === text ? undefined : now))
    })
  }
  return { shown, text, setText, isBusy, commit, fault: problem ?? (error && sayFailure(error)) }
}
