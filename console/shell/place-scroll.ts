// Where the reader is on a page: back and forward lead to where they were, another place begins at its top and has the focus.
import { useEffect, useRef } from 'preact/hooks'
import { useConsole } from '../state/context.ts'

const KEPT = 'scroll'
/** Milliseconds after which it is tried again: what a page shows comes little by little. */
const TRIES = [0, 50, 150, 300, 600]

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
    page.addEventListener('wheel', stop, { passive: true })
    page.addEventListener('keydown', stop)
    if (!isFirst.current && !page.contains(document.activeElement)) page.focus({ preventScroll: true })
    isFirst.current = false
    return () => {
      stop()
      page.removeEventListener('wheel', stop)
      page.removeEventListener('keydown', stop)
    }
  }, [place, id])
  const onScroll = () => router.keep(KEPT, element.current!.scrollTop)
  return { ref: element, onScroll }
}
