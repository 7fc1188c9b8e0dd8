// Language, theme, density, letter keys: the account stores them.
import { Segmented } from '../kit/chips.tsx'
import { Checkbox } from '../kit/field.tsx'
import { useConsole } from '../state/context.ts'
import { DENSITIES, THEMES } from '../state/preferences.ts'
import { t } from '../words/place.ts'
import { ownName } from '../words/languages.ts'

export function Looks() {
  const { browser, preferences } = useConsole()
  return (
    <section>
      <h2>{t('account.looks')}</h2>
      <Segmented
        label={t('account.language')}
        value={preferences.language.value}
        choices={browser.spoken.map((id) => ({ id, name: ownName(id) }))}
        onChange={(language) => preferences.set({ language })}
      />
      <Segmented
        label={t('account.theme')}
        value={preferences.theme.value}
        choices={THEMES.map((id) => ({ id, name: t(`theme.${id}`) }))}
        onChange={(theme) => preferences.set({ theme })}
      />
      <Segmented
        label={t('account.density')}
        hint={t('hint.account.density')}
        value={preferences.density.value}
        choices={DENSITIES.map((id) => ({ id, name: t(`density.${id}`) }))}
        onChange={(density) => preferences.set({ density })}
      />
      <h2>{t('account.keys')}</h2>
      <Checkbox
        label={t('account.letterKeys')}
        hint={t('hint.account.letterKeys')}
        isChecked={preferences.letterKeys.value}
        onChange={(letterKeys) => preferences.set({ letterKeys })}
      />
      <p class="hint">{t('account.keysHelp')}</p>
    </section>
  )
}
