// The locale in which the user writes values.
import { useMemo } from 'preact/hooks'
import type { Locale } from './field.ts'
import { useConsole } from '../state/context.ts'
import { language, locale, t } from '../words/words.ts'

export function useLocale(): Locale {
  const { model } = useConsole()
  const tag = locale.value
  return useMemo(
    () => ({ tag, yes: t('yes'), no: t('no'), nameOf: (named) => model.nameOf(named) }),
    // Names change with the language, even if the number format stays the same.
    [tag, language.value, model],
  )
}
