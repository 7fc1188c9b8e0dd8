// A sheet's element and its state stand at the same place: what the browser scrolls is told the state, what the state says is scrolled.
import { useSignalEffect } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { SheetState } from './sheet-state.ts'

/** Milliseconds without scrolling. */
const QUIET = 150

export function useScrolling(scroller: { readonly current: HTMLDivElement | null }, state: SheetState): void {
  // Where the browser stands, as far as it has said so: to ask it would have it lay out the page in the middle of a frame.
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
    // After the sheet has got as tall as that takes.
    queueMicrotask(() => {
      if (element === null || !element.isConnected) return
      const { top, left: from } = stands.current
      if (Math.abs(top - scrollTop) < 1 && Math.abs(from - left) < 1) return
      element.scrollTop = scrollTop
      element.scrollLeft = left
      // It goes no further than it is large.
      stands.current = { top: element.scrollTop, left: element.scrollLeft }
    })
  })
}
