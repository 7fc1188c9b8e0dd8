// Keeps the scroll position of a sheet's element and the position in its state equal, in both directions.
import { useSignalEffect } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { SheetState } from './sheet-state.ts'

/** Milliseconds without scrolling. */
const QUIET = 150

export function useScrolling(scroller: { readonly current: HTMLDivElement | null }, state: SheetState): void {
  // The last scroll position that the browser reported: reading it from the element would force a layout in the middle
  // of a frame.
  const stands = useRef({ top: 0, left: 0 })
  useLayoutEffect(() => {
    const element = scroller.current!
    const measure = (): void => state.resize(element.clientWidth, element.clientHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    let quiet: ReturnType<typeof setTimeout> | undefined
    const scrolled = (): void => {
      stands.current = { top: element.scrollTop, left: element.scrollLeft }
      state.scroll(stands.current.top, stands.current.left)
      clearTimeout(quiet)
      quiet = setTimeout(() => state.settle(), QUIET)
    }
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      observer.disconnect()
      clearTimeout(quiet)
      element.removeEventListener('scroll', scrolled)
    }
  }, [scroller, state])
  useSignalEffect(() => {
    const { scrollTop } = state.place.value
    const left = state.left.value
    const element = scroller.current
    // Runs after the sheet has grown to the height that the position needs.
    queueMicrotask(() => {
      if (element === null || !element.isConnected) return
      const { top, left: from } = stands.current
      if (Math.abs(top - scrollTop) < 1 && Math.abs(from - left) < 1) return
      element.scrollTop = scrollTop
      element.scrollLeft = left
      // The element clamps the position to its size.
      stands.current = { top: element.scrollTop, left: element.scrollLeft }
    })
  })
}
