// A field with its label, its help, and its error.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** For the input itself. */
export interface FieldInput {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': 'true' | undefined
}

interface FieldProps {
  readonly label: ComponentChildren
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  readonly isRequired?: boolean
  /** Content beside the label: for example the scope of the value. */
  readonly aside?: ComponentChildren
  readonly children: (input: FieldInput) => ComponentChildren
}

export function Field({ label, hint, error, isRequired = false, aside, children }: FieldProps) {
  const id = useId()
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
  const describedBy = described.filter(Boolean).join(' ')
  return (
    <div class={error === undefined ? 'field' : 'field wrong'}>
      <div class="field-head">
        <label for={id}>
          {label}
          {isRequired && <span aria-hidden="true"> *</span>}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error === undefined ? undefined : 'true',
      })}
      {hint !== undefined && (
        <div class="hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error !== undefined && (
        <div class="fault" id={`${id}-error`}>
          <Icon name="bad" />
          {error}
        </div>
      )}
    </div>
  )
}

export interface TextFieldProps extends Omit<FieldProps, 'children'> {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: 'text' | 'password' | 'search' | 'date' | 'email' | 'number'
  readonly name?: string
  /** `new-password`, the default of a password, keeps the browser from filling in another one. */
  readonly autocomplete?: 'username' | 'current-password'
  readonly placeholder?: string
  /** Limits that the browser checks before it submits a form. */
  readonly checks?: { readonly [name in 'min' | 'max' | 'step' | 'pattern']?: string | number | undefined }
  readonly isReadOnly?: boolean
  /** True: the field receives the focus when it appears. */
  readonly hasFocus?: boolean
}

export function TextField(props: TextFieldProps) {
  const { value, onInput, type = 'text', name, placeholder, isReadOnly, hasFocus } = props
  // The types of inputs are distinct per `type`, and this one is only known at run time.
  const kind = { type, ...props.checks } as { readonly type: 'text' }
  return (
    <Field {...props}>
      {(input) => (
        <input
          {...input}
          {...kind}
          name={name}
          dir="auto"
          value={value}
          autocomplete={props.autocomplete ?? (type === 'password' ? 'new-password' : 'off')}
          placeholder={placeholder}
          readOnly={isReadOnly}
          required={props.isRequired}
          spellcheck={false}
          ref={hasFocus === true ? focusFirst : undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** Takes the focus only on the first render: afterwards the user decides. Typing replaces a name that nobody chose. */
function focusFirst(element: HTMLInputElement | null) {
  if (element !== null && element.dataset['seen'] === undefined) {
    element.dataset['seen'] = ''
    // A dialog that is not open yet focuses the `autofocus` element when it opens.
    element.autofocus = true
    element.focus()
    element.select()
  }
}

export function Checkbox(props: {
  readonly label: ComponentChildren
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly hint?: string
}) {
  const id = useId()
  const checkbox = (
    <label class="checkbox">
      <input
        type="checkbox"
        checked={props.isChecked}
        aria-describedby={props.hint === undefined ? undefined : id}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  )
  if (props.hint === undefined) return checkbox
  return (
    <div>
      {checkbox}
      <div class="hint" id={id}>
        {props.hint}
      </div>
    </div>
  )
}

export interface Choice {
  readonly id: string
  readonly name: string
}

/** One of a few choices, in the browser's own list. */
export function Select(props: {
  /** Undefined: a surrounding field contains the label. */
  readonly label?: string
  readonly input?: FieldInput
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (id: string) => void
  readonly class?: string
}) {
  return (
    <select
      {...props.input}
      aria-label={props.label}
      class={props.class ?? 'select'}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    >
      {props.choices.map(({ id, name }) => (
        <option key={id} value={id} selected={id === props.value}>
          {name}
        </option>
      ))}
    </select>
  )
}
