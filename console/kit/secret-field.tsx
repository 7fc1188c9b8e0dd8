// A secret: the page never contains a stored secret; typing replaces the secret.
import { t } from '../words/place.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { TextArea } from './text-area.tsx'

export function SecretField(props: {
  readonly label: string
  readonly hint?: string | undefined
  readonly error?: string | undefined
  readonly hasLines?: boolean
  readonly isRequired?: boolean
  readonly isKept: boolean
  readonly value: string
  readonly onInput: (value: string) => void
  /** Removes the secret; undefined: it cannot be removed. */
  readonly onRemove: (() => void) | undefined
}) {
  const { label, isKept, onRemove } = props
  const shown = {
    ...props,
    isRequired: props.isRequired === true && !isKept,
    ...(isKept ? { placeholder: t('form.secretSet') } : {}),
  }
  return (
    <div class="secret">
      {props.hasLines === true ? <TextArea {...shown} /> : <TextField {...shown} type="password" />}
      {onRemove !== undefined && (
        <Button kind="quiet" icon="delete" label={t('remove', { name: label })} onClick={onRemove} />
      )}
    </div>
  )
}
