// A confirmation before an action that removes something.
import type { ComponentChildren } from 'preact'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export function Confirm(props: {
  readonly title: string
  readonly action: string
  readonly kind?: 'main' | 'bad'
  readonly isBusy?: boolean
  readonly onYes: () => void
  readonly onClose: () => void
  readonly children?: ComponentChildren
}) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      {props.children}
      <div class="row end">
        <Button onClick={props.onClose}>{t('cancel')}</Button>
        <Button kind={props.kind ?? 'bad'} isBusy={props.isBusy ?? false} onClick={props.onYes}>
          {props.action}
        </Button>
      </div>
    </Dialog>
  )
}
