// The values of a record in the groups of its schema; with a source, the translatable values beside their source.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { type FormGroup, formGroups } from './form-groups.ts'
import { lackingIn } from './missing.ts'
import { type LastChanges, TranslatedField, useLastChanges } from './translated-field.tsx'
import { isTranslatable, type TranslationSource } from './translation.ts'
import { useRecord } from './use-record.ts'
import { ValueField } from './value-field.tsx'

export function ValuesForm({ source }: { readonly source: TranslationSource | undefined }) {
  const groups = useGroups(source)
  const { schema } = useRecord()
  const last = useLastChanges(source !== undefined)
  const all = schema.attributes.length
  const shown = groups.reduce((count, { attributes }) => count + attributes.length, 0)
  return (
    <div class={source === undefined ? 'values-form' : 'values-form translating'}>
      {source !== undefined && <TranslationHead source={source} />}
      {groups.map((group) => (
        <Group key={group.id} group={group} source={source} last={last} isOnly={groups.length === 1} />
      ))}
      {source !== undefined && shown < all && <p class="hint">{t('record.notTranslated', { count: all - shown })}</p>}
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

/** The shown groups: without attributes that the role may not read, or that guards hide in this scope. */
export function useGroups(source: TranslationSource | undefined): FormGroup[] {
  const { model } = useConsole()
  const { form, schema } = useRecord()
  const hidden = new Set(form.hidden.value.split(' '))
  const isShown = (attribute: Attribute): boolean =>
    !hidden.has(attribute.alias) && (source === undefined || isTranslatable(attribute, source))
  return formGroups(schema, (alias) => model.access(schema.id, alias))
    .map((group) => ({ ...group, attributes: group.attributes.filter(isShown) }))
    .filter(({ attributes }) => attributes.length > 0)
}

interface GroupProps {
  readonly group: FormGroup
  readonly source: TranslationSource | undefined
  readonly last: LastChanges
  readonly isOnly: boolean
}

function Group({ group, source, last, isOnly }: GroupProps) {
  const { model } = useConsole()
  const { schema, mayWrite } = useRecord()
  const title = group.group === undefined ? t('record.otherAttributes') : model.nameOf(group.group)
  return (
    <section class="form-group" aria-label={title}>
      <header class="group-head">
        {isOnly ? <span /> : <h2 dir="auto">{title}</h2>}
        <GroupLack aliases={group.attributes.map(({ alias }) => alias)} />
      </header>
      {group.attributes.map((attribute) => {
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

/** `needs 2 values more`, with a link to the first of them. */
function GroupLack({ aliases }: { readonly aliases: readonly string[] }) {
  const { form } = useRecord()
  const { missing } = form.score.value
  const count = lackingIn(aliases, missing)
  if (count === 0) return null
  const first = missing.find(({ attributeAlias }) => aliases.includes(attributeAlias))!
  return (
    <button
      type="button"
      class="group-lack"
      onClick={() => form.goTo({ alias: first.attributeAlias, scope: first.scope })}
    >
      {t('record.needs', { count })}
    </button>
  )
}
