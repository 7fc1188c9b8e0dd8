// The scroll position of a page: back and forward restore it. Another place begins at its top and receives the focus.
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../state/context.ts'

const KEPT = 'scroll'
/** Milliseconds between attempts: the content of a page arrives little by little. */
const AGAIN = 50
/** Content that arrives within this time may still shift the page. */
const SETTLED = 600
/** The restoration gives up after this time. */
const LONGEST = 10_000
/** Events which show that the user already works on the page. */
const SIGNS = ['wheel', 'keydown', 'pointerdown', 'input'] as const

/** The ref and handler of the scrolling element. */
export function usePlaceScroll() {
  const { router } = useConsole()
  const element = useRef<HTMLElement>(null)
  const { place, id } = router.address.value
  const isFirst = useRef(true)
  /** True while restoring: the current position is not yet the user's. */
  const isGoing = useRef(false)
  useEffect(() => {
    const page = element.current!
    const wanted = Number(router.kept(KEPT) ?? 0)
    const begun = performance.now()
    const go = () => {
      if (page.scrollTop !== wanted) page.scrollTop = wanted
      const age = performance.now() - begun
      if (age > LONGEST || (age > SETTLED && page.scrollTop === wanted)) stop()
    }
    // A user who scrolls meanwhile is not moved back.
    const stop = () => {
      window.clearInterval(timer)
      isGoing.current = false
    }
    const timer = window.setInterval(go, AGAIN)
    isGoing.current = true
    go()
    for (const sign of SIGNS) page.addEventListener(sign, stop, { passive: true })
    if (!isFirst.current && !page.contains(document.activeElement)) page.focus({ preventScroll: true })
    isFirst.current = false
    return () => {
      stop()
      for (const sign of SIGNS) page.removeEventListener(sign, stop)
    }
  }, [place, id])
  const onScroll = () => {
    if (!isGoing.current) router.keep(KEPT, element.current!.scrollTop)
  }
  return { ref: element, onScroll }
}
