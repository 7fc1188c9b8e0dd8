// The thumbnails of a list in their order. Alt with an arrow, dragging, or a button moves a picture; the list announces
// its new position.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { useDragging } from '../kit/dragging.ts'
import type { GalleryPanelProps } from '../state/panel-props.ts'
import { t } from '../words/place.ts'
import type { KnownPictures } from './known-pictures.ts'
import { withMoved } from './order.ts'
import { PictureDetails } from './picture-details.tsx'
import { usePictureLabel } from './picture-label.ts'
import { PictureThumb } from './seen-pictures.tsx'

interface PictureListProps extends Pick<GalleryPanelProps, 'ids' | 'pictures'> {
  readonly onChange: NonNullable<GalleryPanelProps['onChange']>
  readonly known: KnownPictures
  /** The ID of the text that names the keys. */
  readonly helpId: string
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

export function PictureList({ ids, pictures, onChange, known, helpId }: PictureListProps) {
  const { list, told, move, remove } = useOrder(ids, onChange)
  const [opened, setOpened] = useState<string | undefined>(undefined)
  const labelOf = usePictureLabel({ pictures })
  const byId = known.byId.value
  const dragging = useDragging<string>((id, target) => move(id, ids.indexOf(target)))
  const at = opened === undefined ? -1 : ids.indexOf(opened)
  const picture = opened === undefined ? undefined : byId.get(opened)
  const onKeyDown = (event: KeyboardEvent, id: string, index: number): void => {
    const step = Object.hasOwn(STEPS, event.key) ? STEPS[event.key] : undefined
    if (event.altKey && step !== undefined) move(id, index + step)
    else if (event.key === 'Delete' && !event.ctrlKey) remove(id)
    else return
    event.preventDefault()
  }
  return (
    <>
      <ol ref={list} class="pictures">
        {ids.map((id, index) => (
          <li
            key={id}
            class={dragging.over === id ? 'drop' : undefined}
            {...dragging.handle(id, id)}
            {...dragging.target(id)}
          >
            <button
              type="button"
              class="picture"
              aria-label={t('gallery.item', { at: index + 1, count: ids.length, name: labelOf(byId.get(id), id) })}
              aria-describedby={helpId}
              aria-expanded={opened === id}
              onClick={() => setOpened(opened === id ? undefined : id)}
              onKeyDown={(event) => onKeyDown(event, id, index)}
            >
              <PictureThumb id={id} picture={byId.get(id)} />
            </button>
          </li>
        ))}
      </ol>
      <span class="unseen" role="status">
        {told}
      </span>
      {picture !== undefined && at >= 0 && (
        <PictureDetails
          key={picture.id}
          picture={picture}
          pictures={pictures}
          known={known}
          onClose={() => {
            list.current?.querySelectorAll<HTMLElement>('.picture')[at]?.focus()
            setOpened(undefined)
          }}
        >
          <Button icon="left" label={t('gallery.earlier')} onClick={() => move(picture.id, at - 1, true)} />
          <Button icon="right" label={t('gallery.later')} onClick={() => move(picture.id, at + 1, true)} />
          <Button icon="delete" onClick={() => remove(picture.id)}>
            {t('gallery.remove')}
          </Button>
        </PictureDetails>
      )}
    </>
  )
}

/** Moves and removes pictures; the moved picture, or the next one, has the focus. */
function useOrder(ids: readonly string[], onChange: PictureListProps['onChange']) {
  const list = useRef<HTMLOListElement>(null)
  const focused = useRef<number | undefined>(undefined)
  const [told, setTold] = useState('')
  useLayoutEffect(() => {
    if (focused.current === undefined) return
    const buttons = list.current?.querySelectorAll<HTMLElement>('.picture') ?? []
    buttons[Math.min(focused.current, buttons.length - 1)]?.focus()
    focused.current = undefined
  }, [ids])
  return {
    list,
    told,
    /** @param isByButton the pressed button keeps the focus */
    move: (id: string, to: number, isByButton = false): void => {
      if (to < 0 || to >= ids.length) return
      if (!isByButton) focused.current = to
      setTold(t('gallery.moved', { at: to + 1, count: ids.length }))
      onChange((now) => withMoved(now, id, to))
    },
    remove: (id: string): void => {
      focused.current = ids.indexOf(id)
      setTold(t('gallery.removed'))
      onChange((now) => now.filter((other) => other !== id))
    },
  }
}
