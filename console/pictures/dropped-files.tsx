// Uploads files that the user dropped on a record of the sheet, each with its progress. All become one change of the
// record. Contract 4 §2.
import { useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import type { DroppedPanelProps } from '../state/panel-props.ts'
import { t } from '../words/place.ts'
import { UploadLine } from './add-pictures.tsx'
import { assertAllowed, makePicture } from './make-picture.ts'
import { Uploads } from './uploads.ts'

export function DroppedFiles(props: DroppedPanelProps) {
  const { label, files, attribute, pictures, onPicture, onMade, onDone } = props
  const console = useConsole()
  const made = useRef<unknown[]>([])
  const uploads = useMemo(
    () =>
      new Uploads<unknown>(
        console.call,
        (value) => {
          if (pictures !== undefined) return makePicture(console, pictures, value)
          assertAllowed(value, attribute)
          return value
        },
        (one) => {
          made.current.push(one)
          if (typeof one === 'string') onPicture(one)
        },
      ),
    [],
  )
  const isBegun = useRef(false)
  useEffect(() => {
    isBegun.current = true
    // A file attribute has one value.
    uploads.add(pictures === undefined ? files.slice(0, 1) : files, Infinity)
    return () => uploads.close()
  }, [])
  useSignalEffect(() => {
    const items = uploads.items.value
    if (!isBegun.current || items.some(({ failure }) => failure === undefined)) return
    const all = made.current.splice(0)
    if (all.length > 0) onMade(all)
    if (items.length === 0) onDone()
  })
  return (
    <section class="dropped" aria-label={t('gallery.droppedOn', { name: label })}>
      <span class="quiet">{t('gallery.droppedOn', { name: label })}</span>
      {uploads.items.value.map((item) => (
        <UploadLine key={item.key} item={item} uploads={uploads} />
      ))}
    </section>
  )
}
