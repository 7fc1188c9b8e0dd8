// A secret: the page never contains a stored secret; typing replaces the secret.
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { t } from '../words/place.ts'

export function SecretField(props: {
  readonly label: string
  readonly hint: string | undefined
  readonly error: string | undefined
  readonly hasLines: boolean
  readonly isRequired: boolean
  readonly isKept: boolean
  readonly value: string
  readonly onInput: (value: string) => void
  /** Removes the stored secret. */
  readonly onForget: () => void
}) {
  const { label, hint, error, isKept, value, onInput } = props
  const shown = { label, hint, error, value, onInput, ...(isKept ? { placeholder: t('exports.secretSet') } : {}) }
  return (
    <div class="secret">
      {props.hasLines ? (
        <TextArea {...shown} />
      ) : (
        <TextField {...shown} type="password" isRequired={props.isRequired && !isKept} />
      )}
      {isKept && !props.isRequired && (
        <Button kind="quiet" onClick={props.onForget}>
          {t('exports.forget')}
        </Button>
      )}
    </div>
  )
}
