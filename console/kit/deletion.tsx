// A button that deletes one object, after a confirmation.
import { useState } from 'preact/hooks'
import { t } from '../words/place.ts'
import { useActing } from './acting.ts'
import { Button } from './button.tsx'
import { Confirm } from './confirm.tsx'

export interface Deletion {
  readonly name: string
  /** The name of the button, if the page has several. */
  readonly label?: string
  /** The effect of the deletion. */
  readonly help?: string
  readonly remove: () => Promise<unknown>
  /** Called after the deletion. */
  readonly onDone?: () => unknown
}

export function DeleteButton({ name, label = t('delete'), help = t('form.deleteHelp'), remove, onDone }: Deletion) {
  const { isBusy, act } = useActing()
  const [isAsking, setAsking] = useState(false)
  const done = () =>
    act(async () => {
      await remove()
      setAsking(false)
      await onDone?.()
    })
  return (
    <>
      <Button kind="quiet" icon="delete" label={label} onClick={() => setAsking(true)} />
      {isAsking && (
        <Confirm
          title={t('form.deleteTitle', { name })}
          action={t('delete')}
          isBusy={isBusy}
          onYes={done}
          onClose={() => setAsking(false)}
        >
          <p>{help}</p>
        </Confirm>
      )}
    </>
  )
}
