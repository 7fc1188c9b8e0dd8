// The bar of unsaved changes: save, and the choice between conflicting values. R3, R4, R5.
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import { keyText } from '../state/keys.ts'
import type { Reading } from '../fields/field.ts'
import { readValue } from '../fields/fields.ts'
import { Button } from '../kit/button.tsx'
import { ErrorBox } from '../kit/states.tsx'
import { Icon } from '../kit/icon.tsx'
import { t } from '../words/place.ts'
import { ago, list } from '../words/words.ts'
import { changeKey, type Conflict, faultyOf, type FieldChange, toSave } from './changes.ts'
import { useRecord } from './use-record.ts'
import { ValueText } from './value-text.tsx'

const NAMED = 3
/** Pixels between the field and the bar. */
const GAP = 8

export function SaveBar({ onSaveAndNext }: { readonly onSaveAndNext: (() => void) | undefined }) {
  const { form, saver } = useRecord()
  const { browser, model } = useConsole()
  const changes = toSave(form.changes.value)
  const faulty = faultyOf(form.changes.value)
  const error = form.error.value
  const isShown = changes.length + faulty.length > 0 || error !== undefined
  const bar = useClearOfField(isShown)
  if (!isShown) return null
  const isBusy = form.isSaving.value
  return (
    <footer ref={bar} class="save-bar">
      {error !== undefined && <ErrorBox error={error} onRetry={() => void saver.save()} />}
      <div class="row">
        <p class="grow" role="status">
          <strong>{t('record.unsaved', { count: changes.length + faulty.length })}</strong>{' '}
          <span class="quiet" dir="auto">
            {changedNames([...changes, ...faulty], (change) => nameOf(change))}
          </span>
          {faulty.length > 0 && (
            <span class="fault">
              <Icon name="bad" />
              {t('record.faulty', { count: faulty.length })}
            </span>
          )}
        </p>
        <Button kind="quiet" onClick={() => form.discard()}>
          {t('discard')}
        </Button>
        <Button isBusy={isBusy} keys={keyText('ctrl+s', browser.isMac)} kind="main" onClick={() => void saver.save()}>
          {t('save')}
        </Button>
        {onSaveAndNext !== undefined && (
          <Button isBusy={isBusy} onClick={onSaveAndNext}>
            {t('record.saveAndNext')}
          </Button>
        )}
      </div>
    </footer>
  )

  function nameOf(change: FieldChange): string {
    const { schema } = form
    const name = model.attributeName(schema.peek()?.id ?? '', change.alias)
    const scope = model.scopeName(change.scope)
    return scope === '' ? name : `${name} (${scope})`
  }
}

/** The bar appears at the first key: it must not lie on the field in which a person types. */
function useClearOfField(isShown: boolean) {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    if (bar.current === null) return
    const { bottom } = document.activeElement!.getBoundingClientRect()
    const hidden = bottom - bar.current.getBoundingClientRect().top
    if (hidden > 0) bar.current.closest('.panel-body, .place')?.scrollBy(0, hidden + GAP)
  }, [isShown])
  return bar
}

function changedNames(changes: readonly FieldChange[], nameOf: (change: FieldChange) => string): string {
  const names = changes.slice(0, NAMED).map((change) => nameOf(change).slice(0, 60))
  return changes.length > NAMED
    ? t('record.andMore', { names: names.join(', '), count: changes.length - NAMED })
    : list(names)
}

/** The user's value, the other user's value, and the value before. R4. */
export function Conflicts() {
  const { form } = useRecord()
  const conflicts = form.conflicts.value
  if (conflicts.length === 0) return null
  return (
    <section class="conflicts" aria-label={t('record.conflicts', { count: conflicts.length })}>
      <div role="alert">
        <h2>
          <Icon name="wait" />
          {t('record.conflicts', { count: conflicts.length })}
        </h2>
      </div>
      {conflicts.map((conflict) => (
        <OneConflict key={changeKey(conflict.change)} conflict={conflict} />
      ))}
    </section>
  )
}

function OneConflict({ conflict }: { readonly conflict: Conflict }) {
  const { model } = useConsole()
  const { form, saver, schema, locale } = useRecord()
  const { change, theirs } = conflict
  const attribute = schema.rules.attribute(change.alias)
  if (attribute === undefined) return null
  const scope = model.scopeName(change.scope) || t('everywhere')
  const values = [
    { id: 'mine', title: t('record.mine'), value: form.change(change.alias, change.scope)?.value ?? change.value },
    { id: 'theirs', title: t('record.theirs'), value: theirs },
    { id: 'before', title: t('record.before'), value: change.before },
  ]
  return (
    <div class="conflict">
      <h3 dir="auto">
        {model.nameOf(attribute)} <span class="quiet">{scope}</span>
      </h3>
      <dl>
        {values.map(({ id, title, value }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd class="value-text" dir="auto">
              <ValueText attribute={attribute} value={value} locale={locale} />
            </dd>
          </div>
        ))}
      </dl>
      <div class="row">
        <Button isBusy={form.isSaving.value} onClick={() => void saver.keepMine(conflict)}>
          {t('record.keepMine')}
        </Button>
        <Button onClick={() => saver.takeTheirs(conflict)}>{t('record.takeTheirs')}</Button>
      </div>
    </div>
  )
}

/** An earlier draft that was never saved. R5. */
export function OfferedDraft() {
  const { browser } = useConsole()
  const { form, schema, locale } = useRecord()
  const draft = form.offered.value
  if (draft === undefined) return null
  const read = (alias: string, text: string): Reading => {
    const attribute = schema.rules.attribute(alias)
    return attribute === undefined ? { value: text } : readValue(text, attribute, locale)
  }
  const when = ago(new Date(draft.at).toISOString(), browser.now())
  return (
    <div class="offered-draft" role="status">
      <Icon name="edit" />
      <span class="grow">{t('record.draft', { count: draft.values.length, when })}</span>
      <Button kind="main" onClick={() => form.resume(read)}>
        {t('record.resume')}
      </Button>
      <Button onClick={() => form.forget()}>{t('discard')}</Button>
    </div>
  )
}
