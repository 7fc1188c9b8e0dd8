// Deliveries and accounts send no events of records or model, so their pages poll while somebody looks.
import { useEffect } from 'preact/hooks'
import type { Query } from './cache.ts'
import { useConsole } from './context.ts'

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
