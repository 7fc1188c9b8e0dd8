// One attribute of a record in the bar's scope. An inherited value is quiet, with a hook. R1, R8, G3.
import { computed, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import { type CellValue, scopesToWrite, storedValue } from '../grid/cell-value.ts'
import { fieldOf, showValue } from '../fields/fields.ts'
import { placedProblem } from '../fields/problem-text.ts'
import { Button } from '../kit/button.tsx'
import { Field } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { changeKey, type FieldChange } from './changes.ts'
import { FieldInput } from './field-input.tsx'
import { isMissingIn } from './missing.ts'
import { countCodePoints } from './translation.ts'
import { scopeInBar, useRecord, valueInForce } from './use-record.ts'
import { OpenLink, ValueText } from './value-text.tsx'
import { own } from '../../src/kernel/own.ts'

interface ValueFieldProps {
  readonly attribute: Attribute
  readonly isReadOnly: boolean
  /** The source of the translation, shown beside the field. */
  readonly beside?: ComponentChildren
  /** The effect of Ctrl+D in this field. */
  readonly onTakeOver?: (() => void) | undefined
}

export function ValueField({ attribute, isReadOnly, beside, onTakeOver }: ValueFieldProps) {
  const { model } = useConsole()
  const { form, locale } = useRecord()
  const { scope, scopes, widen } = useWritingScope(attribute)
  const { cell, change, hasOwn, isMissing, message } = useFieldState(attribute, scope)
  const place = { alias: attribute.alias, scope }
  const giveBack = () => form.set(place, { value: null })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return
    const isCtrl = event.ctrlKey || event.metaKey
    if (event.key === 'Escape' && form.giveUp(place)) event.stopPropagation()
    else if (isCtrl && event.key === '.' && scopes.length > 1) widen()
    else if (isCtrl && event.key === 'd' && onTakeOver !== undefined) onTakeOver()
    else if (isCtrl && event.key === 'Delete' && hasOwn) giveBack()
    else return
    event.preventDefault()
  }
  const isBorrowed = cell.origin === 'wider' || cell.origin === 'parent'
  const classes = ['value-field', isBorrowed ? 'borrowed' : '', isMissing ? 'missing' : '', change ? 'typed' : '']
  return (
    <div
      // The field inside handles the keys.
      role="presentation"
      class={classes.filter(Boolean).join(' ')}
      data-alias={attribute.alias}
      onKeyDown={onKeyDown}
      onFocusIn={() => (form.at.value = place)}
    >
      {isReadOnly ? (
        <div class="field">
          <div class="field-head">
            <span class="field-name" dir="auto">
              {model.nameOf(attribute)}
            </span>
            <FieldAside cell={cell} scope={scope} isWidened={false} />
            <OpenComments alias={attribute.alias} />
          </div>
          <div class="value-text" dir="auto">
            <ValueText attribute={attribute} value={cell.value} locale={locale} />
          </div>
        </div>
      ) : (
        <Field
          label={<bdi>{model.nameOf(attribute)}</bdi>}
          isRequired={attribute.requiredInStateIds.includes(form.stateId.value)}
          error={message}
          hint={<FieldHint attribute={attribute} cell={cell} change={change} />}
          aside={
            <span class="field-aside">
              <OpenLink attribute={attribute} value={cell.value} />
              <FieldAside cell={cell} scope={scope} isWidened={scopeKey(scope) !== scopeKey(scopes[0] ?? {})} />
              <OpenComments alias={attribute.alias} />
              {scopes.length > 1 && change !== undefined && (
                <ScopeButton word="record.widen" title={t('record.widenTitle')} onClick={widen} />
              )}
              {hasOwn && <ScopeButton word="record.giveBack" title={t('record.giveBackTitle')} onClick={giveBack} />}
            </span>
          }
        >
          {(input) => (
            <FieldInput
              attribute={attribute}
              place={place}
              value={cell.value}
              text={change?.text}
              isBorrowed={isBorrowed}
              locale={locale}
              input={input}
              onTyped={(typed) => form.set(place, typed)}
              onLeave={() => form.leave(place)}
            />
          )}
        </Field>
      )}
      {beside}
    </div>
  )
}

/** A button that is shown while the field has the pointer or the focus. */
function ScopeButton(props: {
  readonly word: 'record.widen' | 'record.giveBack'
  readonly title: string
  readonly onClick: () => void
}) {
  return (
    <button type="button" class="scope-button" title={props.title} onClick={props.onClick}>
      {t(props.word)}
    </button>
  )
}

/** The scope of the bar; Ctrl+. steps through wider scopes until the bar changes. */
function useWritingScope(attribute: Attribute) {
  const { scope: bar } = useConsole()
  const chosen = useSignal({ bar: '', at: 0 })
  const inBar = scopeInBar(bar.current.value, attribute)
  const key = scopeKey(inBar)
  const scopes = useMemo(() => scopesToWrite(inBar, attribute), [key, attribute])
  const at = chosen.value.bar === key ? chosen.value.at : 0
  const widen = () => (chosen.value = { bar: key, at: (at + 1) % scopes.length })
  return { scope: scopes[at] ?? inBar, scopes, widen }
}

/** Returns only the state of this field, so that key presses elsewhere render nothing here. */
function useFieldState(attribute: Attribute, scope: Scope) {
  const { form } = useRecord()
  const { alias } = attribute
  const key = changeKey({ alias, scope })
  const signals = useMemo(
    () => ({
      own: computed(() => own(form.working.value, alias)),
      parent: computed(() => own(form.stored.value?.parent, alias)),
      change: computed(() => form.changes.value.get(key)),
      isMissing: computed(() => isMissingIn(form.missingByAlias.value, alias, scope)),
      issue: computed(
        () =>
          form.issues.value.find(
            (issue) => issue.attributeAlias === alias && changeKey({ alias, scope: issue.scope }) === key,
          )?.message,
      ),
    }),
    [form, alias, key],
  )
  const values = { [alias]: signals.own.value ?? [] }
  const parent = signals.parent.value
  const change = signals.change.value
  const issue = signals.issue.value
  const problem = change?.problem ?? (change === undefined || issue === undefined ? undefined : placedProblem(issue))
  return {
    cell: valueInForce(values, parent === undefined ? null : { [alias]: parent }, attribute, scope),
    change,
    hasOwn: storedValue(values, alias, scope) !== undefined && (Object.keys(scope).length > 0 || parent !== undefined),
    isMissing: signals.isMissing.value,
    message: problem === undefined ? undefined : t('record.problem', { problem }),
  }
}

/** The origin of the value, and the number of narrower scopes with a different value. */
function FieldAside({
  cell,
  scope,
  isWidened,
}: {
  readonly cell: CellValue
  readonly scope: Scope
  readonly isWidened: boolean
}) {
  const { model } = useConsole()
  const nameOf = (of: Scope): string => model.scopeName(of) || t('everywhere')
  return (
    <>
      {isWidened && <span class="tag">{t('record.writtenTo', { scope: nameOf(scope) })}</span>}
      {cell.origin === 'wider' && (
        <span class="origin">
          <Icon name="hook" />
          {Object.keys(cell.from).length === 0
            ? t('record.fromEverywhere')
            : t('record.fromScope', { scope: nameOf(cell.from) })}
        </span>
      )}
      {cell.origin === 'parent' && (
        <span class="origin">
          <Icon name="hook" />
          {t('record.fromParent')}
        </span>
      )}
      {cell.narrower > 0 && (
        <span class="origin" title={t('record.narrower', { count: cell.narrower })}>
          {t('record.differ', { count: cell.narrower })}
        </span>
      )}
    </>
  )
}

/** Leads to the open comments on the attribute, in any scope. */
function OpenComments({ alias }: { readonly alias: string }) {
  const { router } = useConsole()
  const { comments } = useRecord()
  const about = comments.data.value?.items.filter(({ attributeAlias }) => attributeAlias === alias) ?? []
  const count = about.reduce((sum, { open }) => sum + open, 0)
  if (count === 0) return null
  return (
    <Button kind="quiet" onClick={() => router.setQuery({ tab: 'comments', about: alias }, { isStep: true })}>
      {t('talk.openHere', { count })}
    </Button>
  )
}

/** The parsed value of the typed text, and the length limit. */
function FieldHint(props: {
  readonly attribute: Attribute
  readonly cell: CellValue
  readonly change: FieldChange | undefined
}) {
  const { attribute, cell, change } = props
  const { locale } = useRecord()
  const { maxLength } = attribute.validation
  const { editor, align } = fieldOf(attribute)
  const isText = editor === 'lines' && attribute.dataType !== 'json'
  const count = isText && typeof cell.value === 'string' ? countCodePoints(cell.value) : 0
  const reading = editor === 'line' && change?.text !== undefined && change.problem === undefined ? change.value : null
  const shown = reading === null ? '' : showValue(reading, attribute, locale)
  const isRead = shown !== '' && shown !== change?.text && (align === 'end' || attribute.dataType !== 'url')
  return (
    <>
      {attribute.description !== '' && <span dir="auto">{attribute.description}</span>}
      {isRead && <span dir="auto">{shown}</span>}
      {isText && maxLength !== undefined && (
        <span class={count > maxLength ? 'length bad' : 'length'}>{t('record.length', { count, max: maxLength })}</span>
      )}
    </>
  )
}
