// A button that opens the file dialog. The input itself covers the button, so that a label can name it.
import type { Ref } from 'preact'
import type { FieldInput } from './field.tsx'
import { t } from '../words/place.ts'
import { Icon } from './icon.tsx'
import { isTouch } from './touch.ts'

interface FileChoiceProps {
  readonly input: FieldInput
  readonly field?: Ref<HTMLInputElement>
  readonly title: string
  readonly accept: string | undefined
  readonly isMultiple?: boolean
  /** Opens the camera instead of the file dialog. */
  readonly isCamera?: boolean
  readonly onTake: (event: { readonly currentTarget: HTMLInputElement }) => void
}

export function FileChoice({ input, field, title, accept, isMultiple, isCamera, onTake }: FileChoiceProps) {
  return (
    <span class="file-choose">
      <input
        {...input}
        ref={field}
        type="file"
        title={title}
        accept={accept}
        multiple={isMultiple}
        aria-label={isCamera === true ? title : undefined}
        capture={isCamera === true ? 'environment' : undefined}
        onChange={onTake}
      />
      <span class="button plain" aria-hidden="true">
        <Icon name="exports" />
        {title}
      </span>
    </span>
  )
}

/** On a touch screen: a picture from the camera. */
export function CameraChoice({ input, onTake }: Pick<FileChoiceProps, 'input' | 'onTake'>) {
  if (!isTouch) return null
  const own = { ...input, id: `${input.id}-camera` }
  return <FileChoice input={own} title={t('file.camera')} accept="image/*" isCamera onTake={onTake} />
}
