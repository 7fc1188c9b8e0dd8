// Chips: one of a few choices side by side, and removable chosen values.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../words/words.ts'
import type { Choice } from './field.tsx'
import { Icon } from './icon.tsx'

/** Radio buttons that look like one strip. */
export function Segmented<Id extends string>(props: {
  readonly label: string
  readonly hint?: string
  readonly value: Id
  readonly choices: readonly (Choice & { readonly id: Id })[]
  readonly onChange: (id: Id) => void
}) {
  const name = useId()
  return (
    <fieldset class="segmented" aria-describedby={props.hint === undefined ? undefined : `${name}-hint`}>
      <legend>{props.label}</legend>
      <div>
        {props.choices.map((choice) => (
          <label key={choice.id}>
            <input
              type="radio"
              name={name}
              checked={choice.id === props.value}
              onChange={() => props.onChange(choice.id)}
            />
            <span>{choice.name}</span>
          </label>
        ))}
      </div>
      {props.hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {props.hint}
        </p>
      )}
    </fieldset>
  )
}

export function Chip(props: {
  readonly name: string
  readonly children?: ComponentChildren
  readonly onOpen?: () => void
  readonly onRemove?: () => void
}) {
  const content = props.children ?? props.name
  return (
    <span class="chip" title={props.name}>
      {props.onOpen === undefined ? (
        <span>{content}</span>
      ) : (
        <button type="button" class="chip-body" onClick={props.onOpen}>
          {content}
        </button>
      )}
      {props.onRemove !== undefined && (
        <button
          type="button"
          class="chip-remove"
          aria-label={t('remove', { name: props.name })}
          onClick={props.onRemove}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  )
}
