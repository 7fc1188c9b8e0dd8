// The groups of attributes on a record's page. Contract 3 §7.
import { useConsole } from '../state/context.ts'
import { IdsField } from '../kit/ids-field.tsx'
import { t } from '../words/place.ts'
import type { SchemaDraft, SchemaPartProps } from './definition.ts'
import { type NamedItem, NamedList } from './named-list.tsx'

type Group = NonNullable<SchemaDraft['groups']>[number]

export function Groups({ draft }: SchemaPartProps) {
  const { model } = useConsole()
  const { attributes, groups = [] } = draft.value
  const options = attributes.map((attribute) => ({ id: attribute.alias, name: model.nameOf(attribute) }))
  const put = (next: readonly Group[]) => draft.put({ groups: next.length === 0 ? undefined : [...next] })
  const keepAliases = (items: readonly NamedItem[]) =>
    put(
      items.map((item) => ({
        attributeAliases: groups.find(({ id }) => id === item.id)?.attributeAliases ?? [],
        ...item,
      })),
    )
  return (
    <div class="page form">
      <p class="quiet">{t('model.groupsHelp')}</p>
      <NamedList title={t('model.groups')} addTitle={t('model.addGroup')} items={groups} onChange={keepAliases} />
      {groups.map((group) => (
        <IdsField
          key={group.id}
          label={model.nameOf(group)}
          options={options}
          ids={group.attributeAliases}
          onChange={(attributeAliases) =>
            put(groups.map((one) => (one.id === group.id ? { ...one, attributeAliases } : one)))
          }
        />
      ))}
    </div>
  )
}
