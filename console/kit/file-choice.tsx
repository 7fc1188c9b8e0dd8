// A button that opens the file dialog: the input itself lies over it, so that a label can name it.
import type { Ref } from 'preact'
import type { FieldInput } from './field.tsx'
import { Icon } from './icon.tsx'

interface FileChoiceProps {
  readonly input: FieldInput
  readonly field?: Ref<HTMLInputElement>
  readonly title: string
  readonly accept: string | undefined
  readonly isMultiple?: boolean
  readonly onTake: (event: { readonly currentTarget: HTMLInputElement }) => void
}

export function FileChoice({ input, field, title, accept, isMultiple, onTake }: FileChoiceProps) {
  return (
    <span class="file-choose">
      <input {...input} ref={field} type="file" title={title} accept={accept} multiple={isMultiple} onChange={onTake} />
      <span class="button plain" aria-hidden="true">
        <Icon name="exports" />
        {title}
      </span>
    </span>
  )
}
