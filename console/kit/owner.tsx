// The owner of a job or subscription, why it is paused, and the button to take it over. Contract 3 §12.
import { useState } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import { usePeople } from '../state/people.ts'
import { t } from '../words/place.ts'
import { useActing } from './acting.ts'
import { Button } from './button.tsx'
import { Confirm } from './confirm.tsx'

export function Owner(props: {
  readonly of: { readonly name: string; readonly ownerId: string }
  /** Whether the caller may write it. */
  readonly mayWrite: boolean
  readonly takeOver: () => Promise<unknown>
  readonly onTaken: () => void
}) {
  const { of, mayWrite, takeOver, onTaken } = props
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
      {mayWrite && model.may('records.read') && of.ownerId !== model.me.value?.id && (
        <Button onClick={() => setAsking(true)}>{t('owner.takeOver')}</Button>
      )}
      {isAsking && (
        <Confirm
          title={t('owner.takeOverTitle', { name: of.name })}
          action={t('owner.takeOver')}
          kind="main"
          isBusy={isBusy}
          onYes={() => void go()}
          onClose={() => setAsking(false)}
        >
          <p>{t('owner.takeOverHelp')}</p>
        </Confirm>
      )}
    </>
  )
}
