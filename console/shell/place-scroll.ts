// Where the reader is on a page: back and forward lead to where they were, another place begins at its top and has the focus.
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../state/context.ts'

const KEPT = 'scroll'
/** Milliseconds after which it is tried again: what a page shows comes little by little. */
const TRIES = [0, 50, 150, 300, 600]
/** Of somebody who is at work on the page already. */
const SIGNS = ['wheel', 'keydown', 'pointerdown', 'input'] as const

/** For the element that scrolls. */
export function usePlaceScroll() {
  const { router } = useConsole()
  const element = useRef<HTMLElement>(null)
  const { place, id } = router.address.value
  const isFirst = useRef(true)
  useEffect(() => {
    const page = element.current!
    const wanted = Number(router.kept(KEPT) ?? 0)
    const timers = TRIES.map((after) =>
      window.setTimeout(() => {
        if (page.scrollTop !== wanted) page.scrollTop = wanted
      }, after),
    )
    // Whoever scrolls meanwhile is not called back.
    const stop = () => timers.forEach((timer) => window.clearTimeout(timer))
    for (const sign of SIGNS) page.addEventListener(sign, stop, { passive: true })
    if (!isFirst.current && !page.contains(document.activeElement)) page.focus({ preventScroll: true })
    isFirst.current = false
    return () => {
      stop()
      for (const sign of SIGNS) page.removeEventListener(sign, stop)
    }
  }, [place, id])
  const onScroll = () => router.keep(KEPT, element.current!.scrollTop)
  return { ref: element, onScroll }
}
