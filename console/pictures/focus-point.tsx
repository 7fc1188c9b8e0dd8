// The point that a crop of the picture contains: set by a click or by the arrow keys, and saved at once. Contract 4 §2.
import { useEffect, useRef, useState } from 'preact/hooks'
import { storedValue } from '../grid/cell-value.ts'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Thumb } from '../kit/thumb.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { percent } from '../words/words.ts'
import { type Point, pointAt, pointOf } from './order.ts'
import type { PictureProps } from './known-pictures.ts'

const FOCUS = 'focus'
/** Milliseconds after the last arrow key. */
const SETTLING = 600
const STEP = 0.01
const LONG_STEP = 0.1
const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function FocusPoint(props: PictureProps & { readonly isReadOnly: boolean }) {
  const { model } = useConsole()
  const { schema } = props.pictures
  const { file, id } = props.picture
  if (file === undefined || file.width === null || file.height === null) return null
  const attribute = schema.attributes.find(({ alias, dataType }) => alias === FOCUS && dataType === 'json')
  const access = attribute === undefined ? 'none' : model.access(schema.id, FOCUS)
  const { width, height, sha256 } = file
  const ratio = width / height
  const size = { aspectRatio: `${width} / ${height}`, maxWidth: `calc(var(--size-9) * ${Math.min(ratio, 3)})` }
  const picture = <Thumb picture={{ recordId: id, sha256 }} preset="web" />
  return access === 'write' && !props.isReadOnly ? (
    <FocusPad {...props} size={size}>
      {picture}
    </FocusPad>
  ) : (
    <div class="focus-point" style={size}>
      {picture}
      <Mark point={access === 'none' ? undefined : pointOf(storedValue(props.picture.values, FOCUS, {}))} />
    </div>
  )
}

function FocusPad(
  props: PictureProps & { readonly size: Record<string, string>; readonly children: preact.JSX.Element },
) {
  const { point, take, settle } = usePoint(props)
  const onClick = (event: MouseEvent & { readonly currentTarget: HTMLElement }): void => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    // A key has no position.
    const isByKey = event.detail === 0
    take(isByKey ? pointAt(0.5, 0.5) : pointAt((event.clientX - left) / width, (event.clientY - top) / height))
    settle()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const way = Object.hasOwn(ARROWS, event.key) ? ARROWS[event.key] : undefined
    if (way === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const { x, y } = point ?? { x: 0.5, y: 0.5 }
    const step = event.shiftKey ? LONG_STEP : STEP
    take(pointAt(x + way[0] * step, y + way[1] * step))
  }
  const name =
    point === undefined
      ? t('gallery.noFocus')
      : t('gallery.focus', { x: percent(Math.round(point.x * 100)), y: percent(Math.round(point.y * 100)) })
  return (
    <div class="focus-field">
      <div class="focus-point" style={props.size}>
        {props.children}
        <button
          type="button"
          aria-label={t('gallery.focusPad')}
          title={t('gallery.focusHelp')}
          onClick={onClick}
          onKeyDown={onKeyDown}
          onBlur={settle}
        />
        <Mark point={point} />
      </div>
      <div class="row">
        <span class="hint" role="status">
          {name}
        </span>
        {point !== undefined && (
          <Button
            kind="quiet"
            icon="delete"
            label={t('gallery.removeFocus')}
            onClick={() => {
              take(null)
              settle()
            }}
          />
        )}
      </div>
      <p class="hint">{t('gallery.focusHelp')}</p>
    </div>
  )
}

function Mark({ point }: { readonly point: Point | undefined }) {
  if (point === undefined) return null
  return <span class="focus-mark" style={{ left: `${point.x * 100}%`, top: `${point.y * 100}%` }} />
}

/** The stored point, or the point that the user just set. */
function usePoint({ picture, known }: PictureProps) {
  const { browser } = useConsole()
  const { act } = useActing()
  /** null: the point is removed. */
  const [taken, setTaken] = useState<Point | null | undefined>(undefined)
  const unsaved = useRef<Point | null | undefined>(undefined)
  const settle = (): void => {
    const value = unsaved.current
    if (value === undefined) return
    unsaved.current = undefined
    void act(() => known.save(picture.id, FOCUS, {}, value)).then(() =>
      setTaken((now) => (now === value ? undefined : now)),
    )
  }
  const latest = useRef(settle)
  latest.current = settle
  useEffect(() => (taken === undefined ? undefined : browser.after(SETTLING, () => latest.current())), [taken])
  // Leaving the page also saves.
  useEffect(() => () => latest.current(), [])
  const stored = pointOf(storedValue(picture.values, FOCUS, {}))
  const take = (point: Point | null): void => {
    unsaved.current = point
    setTaken(point)
  }
  return { point: taken === undefined ? stored : (taken ?? undefined), take, settle }
}
