// An ordered list of items with an ID and a name: segments, options, states.
import { useRef, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { t } from '../words/place.ts'
import { ownName } from '../words/languages.ts'
import { own } from '../../src/kernel/own.ts'
import { language } from '../words/words.ts'
import { idOf, moved } from './definition.ts'

export interface NamedItem {
  readonly id: string
  readonly name: string
  readonly names?: Readonly<Record<string, string>>
}

export function NamedList(props: {
  readonly title: string
  readonly items: readonly NamedItem[]
  /** The IDs of stored items cannot change. */
  readonly onChange: (items: readonly NamedItem[]) => void
  readonly onRemove?: (id: string) => void
  readonly addTitle: string
}) {
  const { items, onChange } = props
  const put = (index: number, changes: Partial<NamedItem>) =>
    onChange(items.map((item, at) => (at === index ? { ...item, ...changes } : item)))
  const remove = (id: string) =>
    props.onRemove === undefined ? onChange(items.filter((item) => item.id !== id)) : props.onRemove(id)
  const tongue = language.value
  return (
    <div class="named-list" role="group" aria-label={props.title}>
      {items.map((item, index) => (
        <div key={item.id} class="named-item">
          <code class="quiet">{item.id}</code>
          <input
            aria-label={`${t('name')} ${item.id}`}
            dir="auto"
            value={item.name}
            onInput={(event) => put(index, { name: event.currentTarget.value })}
          />
          <input
            aria-label={`${ownName(tongue)} ${item.id}`}
            dir="auto"
            placeholder={t('model.nameIn')}
            value={own(item.names, tongue) ?? ''}
            onInput={(event) => put(index, { names: withName(item.names, tongue, event.currentTarget.value) })}
          />
          <span class="named-actions">
            <Button
              kind="quiet"
              icon="arrowUp"
              label={t('form.up', { name: item.name })}
              closedBecause={index === 0 ? t('form.first') : undefined}
              onClick={() => onChange(moved(items, index, -1))}
            />
            <Button
              kind="quiet"
              icon="delete"
              label={t('remove', { name: item.name })}
              onClick={() => remove(item.id)}
            />
          </span>
        </div>
      ))}
      <AddNamed title={props.addTitle} taken={items.map(({ id }) => id)} onAdd={(item) => onChange([...items, item])} />
    </div>
  )
}

function AddNamed(props: {
  readonly title: string
  readonly taken: readonly string[]
  readonly onAdd: (item: NamedItem) => void
}) {
  const [name, setName] = useState('')
  const [typedId, setTypedId] = useState<string | undefined>(undefined)
  const id = typedId ?? idOf(name)
  const isTaken = props.taken.includes(id)
  const isReady = name.trim() !== '' && id !== '' && !isTaken
  const add = () => {
    if (!isReady) return
    props.onAdd({ id, name: name.trim() })
    setName('')
    setTypedId(undefined)
  }
  const latest = useRef(add)
  latest.current = add
  return (
    <div
      class="named-add"
      role="group"
      // A typed name is added when the user leaves the field. This waits for the click: otherwise the clicked element
      // would move away first.
      onFocusOut={({ currentTarget: group }) =>
        addEventListener('click', ({ target }) => group.contains(target as Node) || latest.current(), {
          capture: true,
          once: true,
        })
      }
      onKeyDown={(event) => {
        // Ctrl+S also saves the typed name, so the name is added, and the page also receives the key.
        if ((event.ctrlKey || event.metaKey) && event.key === 's') add()
        if (event.key !== 'Enter') return
        event.preventDefault()
        add()
      }}
    >
      <TextField label={props.title} value={name} onInput={setName} />
      <TextField label={t('field.id')} value={id} error={isTaken ? t('form.taken') : undefined} onInput={setTypedId} />
      <Button icon="add" closedBecause={isReady ? undefined : t('form.nameFirst')} onClick={add}>
        {t('add')}
      </Button>
    </div>
  )
}

/** Sets the name in one language; an empty name removes the language. */
export function withName(names: NamedItem['names'], tongue: string, name: string): Record<string, string> | undefined {
  const { [tongue]: _before, ...others } = names ?? {}
  const all = name === '' ? others : { ...others, [tongue]: name }
  return Object.keys(all).length === 0 ? undefined : all
}
