// The values of a record in the groups of its schema; with a source, the translatable values beside their source.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { Icon } from '../kit/icon.tsx'
import { useCommands, useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { number } from '../words/words.ts'
import { type Folding, useFolding } from './folding.ts'
import { type FormGroup, formGroups } from './form-groups.ts'
import { missingOf } from './missing.ts'
import { useMissingCount } from './missing-list.tsx'
import { type LastChanges, TranslatedField, useLastChanges } from './translated-field.tsx'
import { type TranslationSource } from './translation.ts'
import { useRecord } from './use-record.ts'
import { ValueField } from './value-field.tsx'
import { useRef } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'

/** The number of fields from which a form offers a search for fields; a shorter form needs none. */
const FIND_FROM = 20

export function ValuesForm({ source }: { readonly source: TranslationSource | undefined }) {
  const all = useGroups(source)
  const folding = useFolding(all)
  const { groups } = folding
  const { schema } = useRecord()
  const last = useLastChanges(source !== undefined)
  const shown = all.reduce((count, { attributes }) => count + attributes.length, 0)
  const hidden = schema.attributes.length - shown
  return (
    <div class={source === undefined ? 'values-form' : 'values-form translating'}>
      {source !== undefined && <TranslationHead source={source} />}
      {shown > FIND_FROM && <FindField folding={folding} hasGroups={all.length > 1} />}
      {groups.map((group) => (
        <Group
          key={group.id}
          group={group}
          source={source}
          last={last}
          fold={all.length === 1 ? undefined : () => folding.toggle(group)}
          isFolded={folding.isFolded(group)}
        />
      ))}
      {groups.length === 0 && shown > 0 && <p role="status">{t('record.noFieldFound', { text: folding.text })}</p>}
      {source !== undefined && hidden > 0 && <p class="hint">{t('record.notTranslated', { count: hidden })}</p>}
      {shown === 0 && source === undefined && <p class="hint">{t('record.noAttributes')}</p>}
    </div>
  )
}

function TranslationHead({ source }: { readonly source: TranslationSource }) {
  const { model, scope: bar } = useConsole()
  const from = model.scopeName({ ...bar.current.value, [source.dimensionId]: source.segmentId })
  return (
    <div class="translation-head">
      <span dir="auto">{from}</span>
      <span dir="auto">{model.scopeName(bar.current.value) || t('everywhere')}</span>
    </div>
  )
}

/** Returns the shown groups, without attributes that the role may not read, or that guards hide in this scope. */
export function useGroups(source: TranslationSource | undefined): FormGroup[] {
  const { model } = useConsole()
  const { form, schema } = useRecord()
  const hidden = new Set(form.hidden.value.split(' '))
  const isShown = (attribute: Attribute): boolean =>
    !hidden.has(attribute.alias) && (source === undefined || attribute.dimensionIds.includes(source.dimensionId))
  return formGroups(schema, (alias) => model.access(schema.id, alias))
    .map((group) => ({ ...group, attributes: group.attributes.filter(isShown) }))
    .filter(({ attributes }) => attributes.length > 0)
}

interface GroupProps {
  readonly group: FormGroup
  readonly source: TranslationSource | undefined
  readonly last: LastChanges
  /** Undefined: the only group has no title, and stays open. */
  readonly fold: (() => void) | undefined
  readonly isFolded: boolean
}

function Group({ group, source, last, fold, isFolded }: GroupProps) {
  const { model } = useConsole()
  const { schema, mayWrite } = useRecord()
  const title = group.group === undefined ? t('record.otherAttributes') : model.nameOf(group.group)
  return (
    <section class="form-group" aria-label={title}>
      <header class="group-head">
        {fold === undefined ? (
          <span />
        ) : (
          <h2>
            <button type="button" class="disclosure" aria-expanded={!isFolded} onClick={fold}>
              <Icon name={isFolded ? 'right' : 'down'} />
              <span dir="auto">{title}</span>
              {isFolded && <span class="quiet">{number(group.attributes.length)}</span>}
            </button>
          </h2>
        )}
        <GroupLack aliases={group.attributes.map(({ alias }) => alias)} />
      </header>
      {(isFolded ? [] : group.attributes).map((attribute) => {
        const isReadOnly = !mayWrite || model.access(schema.id, attribute.alias) !== 'write'
        return source === undefined ? (
          <ValueField key={attribute.alias} attribute={attribute} isReadOnly={isReadOnly} />
        ) : (
          <TranslatedField
            key={attribute.alias}
            attribute={attribute}
            isReadOnly={isReadOnly}
            source={source}
            last={last}
          />
        )
      })}
    </section>
  )
}

/** A text such as `needs 2 values more`, with a link to the first of them. */
function GroupLack({ aliases }: { readonly aliases: readonly string[] }) {
  const { form } = useRecord()
  const countOf = useMissingCount()
  const missing = missingOf(aliases, form.score.value.missing)
  const [first] = missing
  if (first === undefined) return null
  return (
    <button
      type="button"
      class="group-lack"
      onClick={() => form.goTo({ alias: first.attributeAlias, scope: first.scope })}
    >
      {t('record.needs', { count: countOf(missing) })}
    </button>
  )
}

interface FindFieldProps {
  readonly folding: Folding
  readonly hasGroups: boolean
}

/** Finds fields by name, and folds all groups. */
function FindField({ folding, hasGroups }: FindFieldProps) {
  const row = useRef<HTMLDivElement>(null)
  useCommands(() => [
    {
      id: 'record-find',
      group: 'here',
      title: () => t('record.findField'),
      run: () => row.current?.querySelector('input')?.focus(),
    },
  ])
  return (
    <div class="row find-field" ref={row}>
      <TextField label={t('record.findField')} type="search" value={folding.text} onInput={folding.setText} />
      {hasGroups && folding.text === '' && (
        <Button kind="quiet" icon={folding.areAllFolded ? 'down' : 'right'} onClick={folding.toggleAll}>
          {t(folding.areAllFolded ? 'record.unfoldAll' : 'record.foldAll')}
        </Button>
      )}
    </div>
  )
}
