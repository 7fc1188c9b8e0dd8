// Forms with their buttons: on a page, and in a dialog.
import type { ComponentChildren } from 'preact'
import { useContext, useRef } from 'preact/hooks'
import type { Guide } from '../state/guides.ts'
import { t } from '../words/place.ts'
import type { Saving } from './acting.ts'
import { Button } from './button.tsx'
import { Dialog, DialogFoot } from './dialog.tsx'
import { Form, type FormProps } from './form.tsx'
import { useSaveKey } from './save-key.ts'
import { ErrorBox, Gone } from './states.tsx'

interface FootProps {
  readonly action: string
  readonly isBusy: boolean
  readonly closedBecause: string | undefined
  /** Undefined: the action submits the form. */
  readonly onClick?: () => unknown
  readonly children: ComponentChildren
  /** Stands after the reason. */
  readonly end?: ComponentChildren
}

/** The main action at the lower edge, other buttons, and the reason why the action is closed. */
export function FormFoot({ action, isBusy, closedBecause, onClick, children, end }: FootProps) {
  const type = onClick === undefined ? 'submit' : 'button'
  // A removed thing cannot be saved.
  if (useContext(Gone)) return null
  return (
    <div class="form-foot">
      <Button type={type} kind="main" isBusy={isBusy} closedBecause={closedBecause} onClick={onClick}>
        {action}
      </Button>
      {children}
      {closedBecause !== undefined && <span class="quiet">{closedBecause}</span>}
      {end}
    </div>
  )
}

interface DraftFormProps extends Omit<FootProps, 'children' | 'onClick'>, FormProps {
  readonly draft: { readonly isOutdated: boolean }
  readonly error?: Error | undefined
  /** Buttons beside the action. */
  readonly buttons: ComponentChildren
  readonly footEnd?: ComponentChildren
}

/** The form of a page with a draft. Ctrl+S also submits the form. */
export function DraftForm(props: DraftFormProps) {
  const { draft, error, isBusy, closedBecause, onSubmit } = props
  const form = useRef<HTMLFormElement>(null)
  // Like the button: the browser first checks the fields.
  useSaveKey(() => closedBecause === undefined && !isBusy && form.current?.requestSubmit())
  return (
    <Form class={props.class} element={form} onSubmit={onSubmit}>
      {draft.isOutdated && <p class="warning">{t('form.outdated')}</p>}
      {props.children}
      {error !== undefined && <ErrorBox error={error} />}
      <FormFoot action={props.action} isBusy={isBusy} closedBecause={closedBecause} end={props.footEnd}>
        {props.buttons}
      </FormFoot>
    </Form>
  )
}

interface DialogFormProps extends FormProps {
  readonly title: string
  /** The name of the action; undefined: no action is left. */
  readonly action: string | undefined
  readonly saving: Pick<Saving, 'isBusy'> & { readonly error?: Error | undefined }
  readonly closedBecause?: string | undefined
  /** Stands above the form. */
  readonly help?: string
  readonly guide?: Guide
  readonly onClose: () => void
}

/** A form in a dialog, with its failure, and buttons to cancel and to submit. */
export function DialogForm(props: DialogFormProps) {
  const { title, action, saving, onClose } = props
  return (
    <Dialog title={title} guide={props.guide} onClose={onClose}>
      {props.help !== undefined && <p class="quiet">{props.help}</p>}
      <Form class={props.class ?? 'form'} onSubmit={props.onSubmit}>
        {props.children}
        {saving.error !== undefined && <ErrorBox error={saving.error} />}
        <DialogFoot
          type="submit"
          action={action}
          isBusy={saving.isBusy}
          closedBecause={props.closedBecause}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  )
}
