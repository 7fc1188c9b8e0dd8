// The name of keys, as the keyboards of the language print it: `Ctrl+Enter` is `Strg+Eingabe` in German.
import { t } from '../words/words.ts'

/** @param isHidden a screen reader leaves the keys out */
export function Kbd({ keys, isHidden }: { readonly keys: string; readonly isHidden?: boolean }) {
  const names = new Map(
    t('keys.names')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  )
  return <kbd aria-hidden={isHidden}>{keys.replaceAll(/[A-Z]\w+/g, (key) => names.get(key) ?? key)}</kbd>
}
