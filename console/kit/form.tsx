// A form. Enter presses the submit button, so a closed or busy button also keeps Enter from submitting.
import type { ComponentChildren } from 'preact'

export interface FormProps {
  readonly class?: string
  readonly onSubmit: () => unknown
  readonly children: ComponentChildren
}

export function Form({ class: name, onSubmit, children }: FormProps) {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
