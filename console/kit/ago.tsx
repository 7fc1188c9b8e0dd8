// The age of a moment; the exact time is in the tooltip.
import { useConsole } from '../state/context.ts'
import { ago, moment } from '../words/words.ts'

export function Ago({ at }: { readonly at: string }) {
  const { browser } = useConsole()
  return (
    <time dateTime={at} title={moment(at)}>
      {ago(at, browser.now())}
    </time>
  )
}
