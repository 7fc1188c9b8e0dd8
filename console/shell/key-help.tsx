// All keys: of the current commands, and of the sheet.
import { Dialog } from '../kit/dialog.tsx'
import type { Command } from '../state/commands.ts'
import { useConsole } from '../state/context.ts'
import { keyText } from '../state/keys.ts'
import { t } from '../words/words.ts'

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { commands, browser } = useConsole()
  const keyed = commands.list.value.filter(({ keys }) => keys !== undefined)
  const of = (group: Command['group']) =>
    keyed
      .filter((command) => command.group === group)
      .map(({ keys, title }): KeyLine => [keyText(keys!, browser.isMac), title()])
  return (
    <Dialog title={t('keys.title')} class="key-help" onClose={onClose}>
      <div class="columns">
        <KeyList title={t('keys.here')} lines={of('here')} />
        <KeyList title={t('keys.general')} lines={of('general')} />
        <KeyList title={t('nav.places')} lines={of('places')} />
        <KeyList title={t('keys.sheet')} lines={sheetKeys(browser.isMac)} />
      </div>
    </Dialog>
  )
}

type KeyLine = readonly [keys: string, title: string]

function sheetKeys(isMac: boolean): KeyLine[] {
  const ctrl = isMac ? '⌘' : 'Ctrl+'
  return [
    ['← ↑ → ↓ Home End PgUp PgDn', t('keys.move')],
    ['Enter F2', t('edit')],
    ['Esc', t('keys.giveUp')],
    ['Tab Enter', t('keys.saveRight')],
    [`Space Shift+↑ ${ctrl}A`, t('keys.selectRow')],
    [`${ctrl}C ${ctrl}X ${ctrl}V`, t('keys.clipboard')],
    [`${ctrl}D`, t('keys.fill')],
    [isMac ? '⇧⌘D' : 'Ctrl+Shift+D', t('keys.series')],
    ['Delete', t('keys.remove')],
    [`${ctrl}.`, t('keys.scope')],
  ]
}

function KeyList({ title, lines }: { readonly title: string; readonly lines: readonly KeyLine[] }) {
  if (lines.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {lines.map(([keys, what]) => (
          <div key={keys}>
            <dt>{what}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
