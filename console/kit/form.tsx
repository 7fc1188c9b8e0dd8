// A form. Enter presses the submit button, so a closed or busy button also keeps Enter from submitting.
import type { ComponentChildren, RefObject } from 'preact'

export interface FormProps {
  readonly class?: string
  readonly onSubmit: () => unknown
  readonly element?: RefObject<HTMLFormElement | null>
  readonly children: ComponentChildren
}

export function Form({ class: name, onSubmit, element, children }: FormProps) {
  return (
    <form
      class={name}
      ref={element}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
