// A confirmation before an action that removes something.
import type { ButtonProps } from './button.tsx'
import { Dialog, DialogFoot } from './dialog.tsx'

export function Confirm({
  title,
  children,
  onYes,
  ...foot
}: Pick<ButtonProps, 'kind' | 'icon' | 'isBusy' | 'children'> & {
  readonly title: string
  readonly action: string
  readonly onYes: () => unknown
  readonly onClose: () => void
}) {
  return (
    <Dialog title={title} onClose={foot.onClose}>
      {children}
      <DialogFoot kind="bad" {...foot} onClick={onYes} />
    </Dialog>
  )
}
