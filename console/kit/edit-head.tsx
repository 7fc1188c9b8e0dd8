// The head of a page that edits one thing as a whole: name, save and discard, delete.
import { useState } from 'preact/hooks'
import { t } from '../words/words.ts'
import { useActing } from './acting.ts'
import { Button } from './button.tsx'
import { Confirm } from './confirm.tsx'
import { PlaceHead, type PlaceHeadProps } from './place-head.tsx'

interface EditHeadProps extends Pick<PlaceHeadProps, 'title' | 'crumbs'> {
  readonly id: string
  /** The draft; `isOutdated`: somebody else has changed the stored version meanwhile. */
  readonly draft: { readonly isChanged: boolean; readonly isOutdated: boolean; readonly drop: () => void }
  /** Undefined: the user may not change it. */
  readonly main:
    | {
        readonly title: string
        readonly isBusy?: boolean
        readonly closedBecause: string | undefined
        readonly onClick: () => void
      }
    | undefined
  /** Undefined: it cannot be deleted. */
  readonly deletion: Deletion | undefined
}

interface Deletion {
  readonly name: string
  readonly remove: () => Promise<unknown>
  /** Called after the deletion: leads to the list. */
  readonly onDone: () => unknown
}

export function EditHead({ title, crumbs, id, draft, main, deletion }: EditHeadProps) {
  return (
    <>
      <PlaceHead
        title={title}
        crumbs={crumbs}
        actions={
          <>
            {draft.isChanged && <Button onClick={draft.drop}>{t('discard')}</Button>}
            {main !== undefined && (
              <Button kind="main" isBusy={main.isBusy} closedBecause={main.closedBecause} onClick={main.onClick}>
                {main.title}
              </Button>
            )}
            {deletion !== undefined && <DeleteButton {...deletion} />}
          </>
        }
      >
        <code class="quiet">{id}</code>
      </PlaceHead>
      {draft.isOutdated && <p class="warning">{t('form.outdated')}</p>}
    </>
  )
}

function DeleteButton({ name, remove, onDone }: Deletion) {
  const { isBusy, act } = useActing()
  const [isAsking, setAsking] = useState(false)
  const done = () =>
    act(async () => {
      await remove()
      setAsking(false)
      await onDone()
    })
  return (
    <>
      <Button kind="quiet" icon="delete" label={t('delete')} onClick={() => setAsking(true)} />
      {isAsking && (
        <Confirm
          title={t('form.deleteTitle', { name })}
          action={t('delete')}
          isBusy={isBusy}
          onYes={() => void done()}
          onClose={() => setAsking(false)}
        >
          <p>{t('form.deleteHelp')}</p>
        </Confirm>
      )}
    </>
  )
}
