// How long ago something was; when it was is said to who asks.
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
