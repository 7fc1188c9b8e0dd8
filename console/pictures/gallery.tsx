// The pictures of a record, in order: uploaded by drop, paste or the file dialog, chosen among the records, moved and
// removed. Contract 4 §2.
import { computed } from '@preact/signals'
import { useEffect, useId, useMemo, useRef } from 'preact/hooks'
import { MAX_REFERENCES } from '../../src/core/values/rules.ts'
import { useFileTaking } from '../kit/file-taking.ts'
import { isTouch } from '../kit/touch.ts'
import { useConsole } from '../state/context.ts'
import type { GalleryPanelProps } from '../state/panel-props.ts'
import { mayMakePictures } from '../state/pictures.ts'
import { t } from '../words/place.ts'
import { AddPictures } from './add-pictures.tsx'
import { KnownPictures } from './known-pictures.ts'
import { makePicture } from './make-picture.ts'
import { withAdded } from './order.ts'
import { PictureList } from './picture-list.tsx'
import { SeenPictures } from './seen-pictures.tsx'
import { Uploads } from './uploads.ts'

export function Gallery(props: GalleryPanelProps) {
  const { attribute, pictures, ids, input, onChange, save, children } = props
  const console = useConsole()
  const id = useId()
  const known = useMemo(() => new KnownPictures(console, pictures, save), [console, pictures.schema])
  known.need(ids)
  useEffect(() => known.follow(), [known])
  const latest = useRef(onChange)
  latest.current = onChange
  const add = (recordId: string): void => latest.current?.((now) => withAdded(now, recordId))
  const uploads = useMemo(
    () => new Uploads<string>(console.call, (value) => makePicture(console, pictures, value), add),
    [console, pictures.schema],
  )
  useEffect(() => () => uploads.close(), [uploads])
  const room = (attribute.validation.maxCount ?? MAX_REFERENCES) - ids.length
  const isOpen = mayMakePictures(console.model, pictures)
  const { isOver, onTake, dropping } = useFileTaking((files) => uploads.add(files, room))
  const isBusy = useMemo(
    () => computed(() => uploads.items.value.some(({ failure }) => failure === undefined)),
    [uploads],
  )
  if (onChange === undefined || input === undefined) return <SeenPictures ids={ids} known={known} pictures={pictures} />
  return (
    <div
      class={isOver && isOpen ? 'file-field gallery over' : 'file-field gallery'}
      role="group"
      aria-label={console.model.nameOf(attribute)}
      aria-busy={isBusy.value}
      // A click into the field prepares it for pasting.
      tabIndex={-1}
      {...(isOpen ? dropping : {})}
    >
      <PictureList {...props} onChange={onChange} known={known} helpId={`${id}-help`} />
      <AddPictures
        input={input}
        pictures={pictures}
        uploads={uploads}
        onTake={isOpen ? onTake : undefined}
        onAdd={add}
      />
      {ids.length > 0 && (
        <span class="hint" id={`${id}-help`}>
          {t(isTouch ? 'gallery.touchHelp' : 'gallery.help')}
        </span>
      )}
      <details>
        <summary>{t('gallery.asText')}</summary>
        {children}
      </details>
    </div>
  )
}
