// The select of the scopes that a chart shows.
import { Checkbox } from '../kit/field.tsx'
import { PopoverButton } from '../kit/popover.tsx'
import { useConsole } from '../state/context.ts'
import { t } from '../words/words.ts'
import { MAX_LINES, type ScopeChoice } from './shown-scopes.ts'

/** Nothing where a person has no choice. */
export function ScopeChoiceButton({ choice }: { readonly choice: ScopeChoice }) {
  const { model } = useConsole()
  const { all, shown, toggle } = choice
  if (all.length < 2) return null
  return (
    <PopoverButton
      label={t('home.scopes')}
      kind="quiet"
      icon="filter"
      face={t('home.scopesShown', { shown: shown.length, total: all.length })}
    >
      {() => (
        <div class="chooser">
          <p class="hint">{t('home.scopesHelp', { most: MAX_LINES })}</p>
          <div class="chooser-list">
            {all.map(({ key, scope }) => (
              <Checkbox
                key={key}
                label={<span dir="auto">{model.scopeName(scope)}</span>}
                isChecked={shown.some((one) => one.key === key)}
                onChange={() => toggle(key)}
              />
            ))}
          </div>
        </div>
      )}
    </PopoverButton>
  )
}
