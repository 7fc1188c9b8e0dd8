// One attribute, with its source text for translation beside it. T1, T2, T3.
import { computed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { Icon } from '../kit/icon.tsx'
import { Button } from '../kit/button.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { ago } from '../words/words.ts'
import { changeKey } from './changes.ts'
import { isValueChange } from './past.ts'
import { lastChanges, newerSource, sourceScope, type TranslationSource } from './translation.ts'
import { scopeInBar, useRecord, useRecordQuery, valueInForce } from './use-record.ts'
import { ValueField } from './value-field.tsx'
import { ValueText } from './value-text.tsx'
import { own } from '../../src/kernel/own.ts'

interface TranslatedFieldProps {
  readonly attribute: Attribute
  readonly isReadOnly: boolean
  readonly source: TranslationSource
  /** The times of the last changes of values. */
  readonly last: LastChanges
}

export function TranslatedField({ attribute, isReadOnly, source, last }: TranslatedFieldProps) {
  const { scope: bar, browser } = useConsole()
  const { form, locale } = useRecord()
  const { alias } = attribute
  const { stored, parent } = useMemo(
    () => ({
      stored: computed(() => own(form.working.value, alias)),
      parent: computed(() => own(form.stored.value?.parent, alias)),
    }),
    [form, alias],
  )
  const scoped = stored.value ?? []
  const values = { [alias]: scoped }
  const inherited = parent.value === undefined ? null : { [alias]: parent.value }
  const from = valueInForce(values, inherited, attribute, sourceScope(bar.current.value, source, attribute))
  const target = scopeInBar(bar.current.value, attribute)
  const layers = { values, effectiveValues: { [alias]: [...scoped, ...(parent.value ?? [])] } }
  const isTyped = useIsTyped(alias, target)
  const newer = isTyped ? undefined : newerSource(layers, attribute, bar.current.value, source, last)
  const takeOver = (): void => {
    if (!isReadOnly && from.value !== undefined) form.set({ alias, scope: target }, { value: from.value })
  }
  const beside = (
    <div class="translation-source">
      <div class="value-text" dir="auto">
        <ValueText attribute={attribute} value={from.value} locale={locale} />
      </div>
      <div class="source-foot">
        {newer !== undefined && (
          <span class="wait">
            <Icon name="wait" />
            {t('record.sourceChanged', { when: ago(newer, browser.now()) })}
          </span>
        )}
        {!isReadOnly && from.value !== undefined && (
          <Button kind="quiet" icon="right" onClick={takeOver}>
            {t('record.takeOver')}
          </Button>
        )}
      </div>
    </div>
  )
  return <ValueField attribute={attribute} isReadOnly={isReadOnly} beside={beside} onTakeOver={takeOver} />
}

/** Returns whether the user has typed a translation: then no hint about an old translation is needed. */
function useIsTyped(alias: string, scope: Scope): boolean {
  const { form } = useRecord()
  const key = changeKey({ alias, scope })
  return useMemo(() => computed(() => form.changes.value.has(key)), [form, key]).value
}

/** The number of entries read from the trail: a value without a change in them is older. */
const LOOKED_AT = 200
const NOTHING: LastChanges = new Map()

export type LastChanges = ReadonlyMap<string, string>

/** Returns the last changes; empty: the role may not read the trail. @param isAsked true: the user translates */
export function useLastChanges(isAsked: boolean): LastChanges {
  const { call, model } = useConsole()
  const { form } = useRecord()
  const params = { id: form.recordId }
  const may = isAsked && model.may('audit.read')
  const query = useRecordQuery(may ? 'last-changes' : 'no-changes', async (signal) => {
    if (!may) return NOTHING
    const { body } = await call('GET /api/v1/records/:id/audit', { params, query: { limit: LOOKED_AT }, signal })
    const changes = body.flatMap(({ changes: made, timestamp }) =>
      made.filter(isValueChange).map(({ attributeAlias, scope }) => ({ alias: attributeAlias, scope, timestamp })),
    )
    return lastChanges(changes)
  })
  return query.data.value ?? NOTHING
}
