// Deliveries send no events of records or model, so the page polls while somebody looks.
import { useEffect } from 'preact/hooks'
import type { Query } from '../state/cache.ts'
import { useConsole } from '../state/context.ts'

const PAUSE = 3000

export function useRenewed(query: Query<unknown>): void {
  const { browser } = useConsole()
  useEffect(() => {
    let stop: () => void = () => undefined
    const wait = () => {
      stop = browser.after(PAUSE, () => {
        const asked = browser.isHidden() ? Promise.resolve() : query.refresh()
        void asked.finally(wait)
      })
    }
    wait()
    return () => stop()
  }, [query])
}
