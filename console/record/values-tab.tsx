// The form with its surroundings: state, missing values, combinations, feeds, unsaved changes; and the keys.
import { useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Select } from '../kit/field.tsx'
import { useCommands, useConsole } from '../state/context.ts'
import { agree, segmentOf } from '../../src/core/scopes/scope.ts'
import { t } from '../words/place.ts'
import { MissingList } from './missing-list.tsx'
import { nextMissing } from './missing.ts'
import { Combinations, Feeds } from './record-side.tsx'
import { Conflicts, OfferedDraft, SaveBar } from './save-bar.tsx'
import { Transitions } from './transitions.tsx'
import { isUntranslated, readSource, type TranslationSource, writeSource } from './translation.ts'
import { Referrers } from './referrers.tsx'
import { useRecord } from './use-record.ts'
import { useGroups, ValuesForm } from './values-form.tsx'

export function ValuesTab({ onNext }: { readonly onNext: (() => void) | undefined }) {
  const { router, model } = useConsole()
  const { form, saver, mayWrite } = useRecord()
  const root = useRef<HTMLDivElement>(null)
  const given = router.query.value['with']
  const dimensions = model.dimensions.value
  const source = useMemo(() => readSource(given, dimensions), [given, dimensions])
  const goOn = useNextMissing(source)
  useFocusTarget(root)
  useEffect(() => {
    if (form.isNextAsked) goOn()
    form.isNextAsked = false
  }, [form])
  const saveAndNext = onNext === undefined ? undefined : () => void saver.save().then((isDone) => isDone && onNext())
  useCommands(
    () => [
      {
        id: 'record-save',
        group: 'here',
        keys: onNext === undefined ? 'ctrl+s | ctrl+enter' : 'ctrl+s',
        title: () => t('save'),
        run: () => void saver.save(),
      },
      { id: 'record-missing', group: 'here', keys: 'f8', title: () => t('record.nextMissing'), run: goOn },
      ...(saveAndNext === undefined
        ? []
        : [
            {
              id: 'record-save-next',
              group: 'here' as const,
              keys: 'ctrl+enter',
              title: () => t('record.saveAndNext'),
              run: saveAndNext,
            },
          ]),
    ],
    [saver, goOn, onNext],
  )
  return (
    <div ref={root}>
      <OfferedDraft />
      <Conflicts />
      <div class="record-strip">
        <Transitions />
        <TranslateFrom source={source} />
      </div>
      <div class="record-columns">
        <div class="record-missing">
          <MissingList />
        </div>
        <ValuesForm source={source} />
        <div class="record-side">
          <Combinations />
          <Referrers />
          <Feeds />
        </div>
      </div>
      {mayWrite && <SaveBar onSaveAndNext={saveAndNext} />}
      {!mayWrite && form.changes.value.size === 0 && <p class="hint">{t('record.readOnly')}</p>}
    </div>
  )
}

/** The choice of the source segment: `with=` in the address. */
function TranslateFrom({ source }: { readonly source: TranslationSource | undefined }) {
  const { router, model } = useConsole()
  const { schema } = useRecord()
  const used = new Set(schema.attributes.flatMap(({ dimensionIds }) => dimensionIds))
  const choices = model.dimensions.value
    .filter(({ id, segments }) => used.has(id) && segments.length > 1)
    .flatMap(({ id, segments }) =>
      segments.map((segment) => ({
        id: writeSource({ dimensionId: id, segmentId: segment.id }),
        name: t('record.with', { name: model.nameOf(segment) }),
      })),
    )
  if (choices.length === 0) return null
  return (
    <Select
      label={t('record.translateFrom')}
      value={source === undefined ? '' : writeSource(source)}
      choices={[{ id: '', name: t('record.withNothing') }, ...choices]}
      onChange={(id) => router.setQuery({ with: id }, { isStep: true })}
    />
  )
}

/** F8 moves to the next untranslated value during translation, or else to the next missing value; the scope bar follows. */
function useNextMissing(source: TranslationSource | undefined): () => void {
  const { scope, status } = useConsole()
  const { form } = useRecord()
  const groups = useGroups(source)
  return () => {
    const attributes = groups.flatMap((group) => group.attributes)
    const bar = scope.current.peek()
    const values = form.working.peek()
    const layers = { values, effectiveValues: { ...form.stored.peek()?.parent, ...values } }
    const untranslated =
      source === undefined || segmentOf(bar, source.dimensionId) === undefined
        ? []
        : attributes
            .filter((attribute) => isUntranslated(layers, attribute, bar, source))
            .map(({ alias }) => ({ attributeAlias: alias, scope: bar }))
    const order = attributes.map(({ alias }) => alias)
    const wanted = untranslated.length > 0 ? untranslated : form.score.peek().missing
    const next = nextMissing(wanted, order, bar, form.at.peek())
    if (next === undefined) status.tell(t('record.nothingMissing'))
    else form.goTo({ alias: next.attributeAlias, scope: next.scope })
  }
}

/** A jump to a field sets the bar to the field's scope, and focuses the field. */
function useFocusTarget(root: { readonly current: HTMLElement | null }): void {
  const { scope } = useConsole()
  const { form } = useRecord()
  useEffect(() => () => void (form.target.value = undefined), [form])
  useSignalEffect(() => {
    const target = form.target.value
    if (target === undefined) return
    const bar = scope.current.peek()
    if (!agree(target.scope, bar)) scope.set({ ...bar, ...target.scope })
    // Waits until the fields of the new scope exist.
    window.setTimeout(() => {
      const field = root.current?.querySelector<HTMLElement>(`[data-alias="${CSS.escape(target.alias)}"]`)
      field?.scrollIntoView({ block: 'center' })
      field?.querySelector<HTMLElement>('input, textarea, select, [contenteditable]')?.focus()
    }, 30)
  })
}
