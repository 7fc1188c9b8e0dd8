// The owner of a job or subscription, and the button that takes the object over. Contract 3 §12.
import { useState } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import { usePeople } from '../state/people.ts'
import { t } from '../words/place.ts'
import { useActing } from './acting.ts'
import { Button } from './button.tsx'
import { Confirm } from './confirm.tsx'

export function Owner(props: {
  readonly of: { readonly name: string; readonly ownerId: string }
  /** Whether the caller may write the object. */
  readonly mayWrite: boolean
  readonly takeOver: () => Promise<unknown>
  readonly onTaken: () => void
  /** The effect of taking over; the default text is about sent data. */
  readonly help?: string
  /** True: the object is paused because permissions are missing. The present owner may have them again now. */
  readonly isPaused?: boolean
}) {
  const { of, mayWrite, takeOver, onTaken, help = t('owner.takeOverHelp'), isPaused = false } = props
  const { model } = useConsole()
  const nameOf = usePeople()
  const { isBusy, act } = useActing()
  const [isAsking, setAsking] = useState(false)
  const go = async () => {
    if (await act(takeOver)) onTaken()
    setAsking(false)
  }
  return (
    <>
      {nameOf(of.ownerId)}{' '}
      {mayWrite && model.may('records.read') && (isPaused || of.ownerId !== model.me.value?.id) && (
        <Button onClick={() => setAsking(true)}>{t('owner.takeOver')}</Button>
      )}
      {isAsking && (
        <Confirm
          title={t('owner.takeOverTitle', { name: of.name })}
          action={t('owner.takeOver')}
          kind="main"
          isBusy={isBusy}
          onYes={go}
          onClose={() => setAsking(false)}
        >
          <p>{help}</p>
        </Confirm>
      )}
    </>
  )
}
