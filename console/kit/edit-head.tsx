// The head of a page that edits one object as a whole: name, save and discard, delete.
import { useContext } from 'preact/hooks'
import { t } from '../words/place.ts'
import { Button } from './button.tsx'
import { DeleteButton, type Deletion } from './deletion.tsx'
import { PlaceHead, type PlaceHeadProps } from './place-head.tsx'
import { Gone } from './states.tsx'

interface EditHeadProps extends Pick<PlaceHeadProps, 'title' | 'above'> {
  readonly id: string
  /** The draft; `isOutdated`: somebody else has changed the stored version meanwhile. */
  readonly draft: { readonly isChanged: boolean; readonly isOutdated: boolean; readonly drop: () => void }
  /** Undefined: the user may not change the object. */
  readonly main:
    | {
        readonly title: string
        readonly isBusy?: boolean
        readonly closedBecause: string | undefined
        readonly onClick: () => void
      }
    | undefined
  /** Undefined: the object cannot be deleted. */
  readonly deletion: Deletion | undefined
}

export function EditHead({ title, above, id, draft, main, deletion }: EditHeadProps) {
  const isGone = useContext(Gone)
  return (
    <>
      <PlaceHead
        title={title}
        above={above}
        actions={
          <>
            {draft.isChanged && <Button onClick={draft.drop}>{t('discard')}</Button>}
            {main !== undefined && !isGone && (
              <Button kind="main" isBusy={main.isBusy} closedBecause={main.closedBecause} onClick={main.onClick}>
                {main.title}
              </Button>
            )}
            {deletion !== undefined && !isGone && <DeleteButton {...deletion} />}
          </>
        }
      >
        <code class="quiet">{id}</code>
      </PlaceHead>
      {draft.isOutdated && <p class="warning">{t('form.outdated')}</p>}
    </>
  )
}
