// The field of a comment: `@` opens the menu of people, Ctrl+Enter sends.
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useSaving } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { stepIn } from '../kit/choices.ts'
import { usePopup } from '../kit/popup.ts'
import { ErrorBox } from '../kit/states.tsx'
import { useConsole } from '../state/context.ts'
import { keyText } from '../state/keys.ts'
import { t } from '../words/place.ts'
import type { Mention } from './mention-text.ts'
import { type Reader, useComposer } from './use-composer.ts'

/** The most characters that the server accepts. */
const MAX = 4000

interface ComposerProps {
  readonly recordId: string
  readonly attributeAlias: string | null
  readonly label: string
  readonly action: string
  /** The text of a comment that is edited. */
  readonly text?: string
  readonly mentions?: readonly Mention[]
  readonly hasFocus?: boolean
  readonly onSend: (text: string) => Promise<void>
  readonly onCancel?: () => void
  /** Stands before the buttons. */
  readonly children?: ComponentChildren
}

export function Composer(props: ComposerProps) {
  const { recordId, attributeAlias, label, action, text = '', mentions = [], onSend, onCancel } = props
  const { browser } = useConsole()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const composer = useComposer(field, { recordId, attributeAlias, text, mentions })
  const { isBusy, error, act } = useSaving()
  useLayoutEffect(() => {
    if (props.hasFocus === true) field.current?.focus()
  }, [])
  const isTooLong = composer.stored().length > MAX
  const send = async () => {
    if (isBusy || isTooLong || composer.text.trim() === '') return
    if (await act(() => onSend(composer.stored()))) composer.clear()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const isSending = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (isSending) void send()
    else if (!takeKey(event, composer, onCancel)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="composer">
      <textarea
        ref={field}
        rows={3}
        dir="auto"
        aria-label={label}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={composer.isChoosing ? `${id}-list` : undefined}
        aria-activedescendant={composer.isChoosing ? `${id}-${composer.at}` : undefined}
        placeholder={t('talk.placeholder')}
        value={composer.text}
        onInput={({ currentTarget }) => composer.put(currentTarget.value, currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={composer.close}
      />
      {composer.isChoosing && <People id={id} composer={composer} anchor={() => field.current} />}
      {error !== undefined && <ErrorBox error={error} />}
      <div class="row composer-foot">
        {props.children}
        {onCancel !== undefined && <Button onClick={onCancel}>{t('cancel')}</Button>}
        <Button
          kind="main"
          keys={keyText('ctrl+↵', browser.isMac)}
          isBusy={isBusy}
          closedBecause={isTooLong ? t('talk.tooLong', { max: MAX }) : undefined}
          onClick={() => void send()}
        >
          {action}
        </Button>
      </div>
    </div>
  )
}

type ComposerState = ReturnType<typeof useComposer>

/** Keys of the menu, and Escape. Returns whether the key is used. */
function takeKey(event: KeyboardEvent, composer: ComposerState, onCancel: (() => void) | undefined): boolean {
  const { isChoosing, found, at } = composer
  const to = isChoosing ? stepIn(event.key, at, found.length) : undefined
  if (to !== undefined) composer.setAt(to)
  else if (isChoosing && (event.key === 'Enter' || event.key === 'Tab')) composer.choose(found[at]!)
  else if (isChoosing && event.key === 'Escape') composer.close()
  else if (event.key === 'Escape' && onCancel !== undefined) onCancel()
  else return false
  return true
}

function People(props: {
  readonly id: string
  readonly composer: ComposerState
  readonly anchor: () => Element | null
}) {
  const { id, composer, anchor } = props
  const { found, at, choose } = composer
  const popup = usePopup(anchor, found)
  return (
    <div {...popup} class="popup" popover="manual">
      <div id={`${id}-list`} class="listbox" role="listbox" aria-label={t('place.people')}>
        {found.map((person: Reader, index) => (
          <div
            key={person.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            class={index === at ? 'active' : undefined}
            // Runs before the field loses the focus, which would close the menu.
            onMouseDown={(event) => {
              event.preventDefault()
              choose(person)
            }}
          >
            <span class="grow" dir="auto">
              {person.name}
            </span>
            <span class="quiet">{person.username}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
