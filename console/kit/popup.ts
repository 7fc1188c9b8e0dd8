// The position of a popup: below its anchor, or above if it has more room; always inside the window.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Box {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly width: number
}

interface Placement {
  readonly top: string
  readonly left: string
  readonly minWidth: string
  readonly maxHeight: string
}

const GAP = 2
const MARGIN = 8

export function placePopup(
  anchor: Box,
  popup: { readonly width: number; readonly height: number },
  page: { readonly width: number; readonly height: number },
): Placement {
  const below = page.height - anchor.bottom - GAP - MARGIN
  const above = anchor.top - GAP - MARGIN
  const isBelow = popup.height <= below || below >= above
  const room = Math.max(0, isBelow ? below : above)
  const height = Math.min(popup.height, room)
  const width = Math.max(popup.width, anchor.width)
  const left = Math.max(MARGIN, Math.min(anchor.left, page.width - width - MARGIN))
  return {
    top: `${Math.round(isBelow ? anchor.bottom + GAP : anchor.top - GAP - height)}px`,
    left: `${Math.round(left)}px`,
    minWidth: `${Math.round(Math.min(anchor.width, page.width - 2 * MARGIN))}px`,
    maxHeight: `${Math.round(room)}px`,
  }
}

function isSame(one: Placement, other: Placement): boolean {
  return (['top', 'left', 'minWidth', 'maxHeight'] as const).every((side) => one[side] === other[side])
}

/**
 * A popover in the top layer beside `anchor`, open while mounted. A change of `content` may resize the popover, so it is
 * placed again.
 */
export function usePopup(anchor: () => Element | null, content?: unknown) {
  const popup = useRef<HTMLDivElement>(null)
  const [placement, setPlacement] = useState<Placement | undefined>(undefined)
  const place = () => {
    const [at, element] = [anchor()?.getBoundingClientRect(), popup.current]
    if (at === undefined || element === null) return
    const size = { width: element.offsetWidth, height: element.scrollHeight + 2 }
    const placed = placePopup(at, size, { width: window.innerWidth, height: window.innerHeight })
    // An unchanged position renders nothing: callers that pass a new `content` at each render would otherwise loop for
    // ever.
    setPlacement((before) => (before !== undefined && isSame(before, placed) ? before : placed))
  }
  useLayoutEffect(() => {
    if (popup.current?.matches(':popover-open') === false) popup.current.showPopover()
    place()
  }, [content])
  useLayoutEffect(() => {
    window.addEventListener('resize', place)
    window.addEventListener('scroll', place, { capture: true, passive: true })
    return () => {
      window.removeEventListener('resize', place)
      window.removeEventListener('scroll', place, { capture: true })
    }
  }, [])
  return { ref: popup, style: placement ?? {} }
}
