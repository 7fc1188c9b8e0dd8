// Where the reader is on a page: back and forward lead to where they were, another place begins at its top and has the focus.
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../state/context.ts'

const KEPT = 'scroll'
/** Milliseconds between tries: what a page shows comes little by little. */
const AGAIN = 50
/** What comes so soon may still move the page away. */
const SETTLED = 600
/** What has not come by then is not waited for. */
const LONGEST = 10_000
/** Of somebody who is at work on the page already. */
const SIGNS = ['wheel', 'keydown', 'pointerdown', 'input'] as const

/** For the element that scrolls. */
export function usePlaceScroll() {
  const { router } = useConsole()
  const element = useRef<HTMLElement>(null)
  const { place, id } = router.address.value
  const isFirst = useRef(true)
  /** Not there yet: where it stands meanwhile is not where the reader was. */
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
    // Whoever scrolls meanwhile is not called back.
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
