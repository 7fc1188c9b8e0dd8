// All keys, of the current commands and of the place, and the guide of the place.
import { Dialog } from '../kit/dialog.tsx'
import { Kbd } from '../kit/kbd.tsx'
import { Icon } from '../kit/icon.tsx'
import type { Command } from '../state/commands.ts'
import { useConsole } from '../state/context.ts'
import { guideOf } from '../state/guides.ts'
import { keyText } from '../state/keys.ts'
import { PREFIX } from '../state/prefix.ts'
import { t } from '../words/place.ts'
import { type KeyLine, placeKeys } from './place-keys.ts'

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { commands, browser, router } = useConsole()
  const keyed = commands.list.value.filter(({ keys }) => keys !== undefined)
  const of = (group: Command['group']) =>
    keyed
      .filter((command) => command.group === group)
      .map(({ keys, title }): KeyLine => [keyText(keys!, browser.isMac), title()])
  const { place, id } = router.address.value
  return (
    <Dialog title={t('keys.title')} class="key-help" onClose={onClose}>
      <p>
        <a href={`${PREFIX}/docs/guides/${guideOf(place, id)}`} target="_blank" rel="noreferrer">
          {t('help.here')} <Icon name="external" />
        </a>
      </p>
      <div class="columns">
        <KeyList title={t('keys.here')} lines={of('here')} />
        {placeKeys(router.address.value, browser.isMac).map(({ title, lines }) => (
          <KeyList key={title} title={title} lines={lines} />
        ))}
        <KeyList title={t('keys.general')} lines={of('general')} />
        <KeyList title={t('nav.places')} lines={of('places')} />
      </div>
    </Dialog>
  )
}

function KeyList({ title, lines }: { readonly title: string; readonly lines: readonly KeyLine[] }) {
  if (lines.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {lines.map(([keys, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
