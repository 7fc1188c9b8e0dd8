// The keys that parts of a place handle themselves, without commands.
import type { Address } from '../state/addresses.ts'
import { t } from '../words/place.ts'

export type KeyLine = readonly [keys: string, title: string]

interface KeyGroup {
  readonly title: string
  readonly lines: readonly KeyLine[]
}

/** The parts of a place; every place may open dialogs. */
export function placeKeys({ place, id }: Address, isMac: boolean): KeyGroup[] {
  const ctrl = isMac ? '⌘' : 'Ctrl+'
  return [...partsOf(place, id).map((part) => part(ctrl)), dialogs()]
}

type Part = (ctrl: string) => KeyGroup

function partsOf(place: string, id: string | null): readonly Part[] {
  if (place === 'records' && id !== null) return [form, gallery]
  // A record opens beside the sheet.
  if (place === 'records' || place === 'views') return [sheet, wall, form, gallery]
  if (place === 'categories') return [tree]
  return place === 'exports' ? [columns] : []
}

const sheet: Part = (ctrl) => ({
  title: t('keys.sheet'),
  lines: [
    ['← ↑ → ↓ Home End PgUp PgDn', t('keys.move')],
    ['Enter F2', t('edit')],
    ['Esc', t('keys.giveUp')],
    ['Tab Enter', t('keys.saveRight')],
    [`Space Shift+↑ ${ctrl}A`, t('keys.selectRow')],
    [`${ctrl}C ${ctrl}X ${ctrl}V`, t('keys.clipboard')],
    [`${ctrl}D`, t('keys.fill')],
    [ctrl === '⌘' ? '⇧⌘D' : 'Ctrl+Shift+D', t('keys.series')],
    ['Delete', t('keys.remove')],
    [ctrl === '⌘' ? '⌥H ⌥C' : 'Alt+H Alt+C', t('keys.cellTools')],
    [`${ctrl}.`, t('keys.scope')],
  ],
})

const wall: Part = (ctrl) => ({
  title: t('help.wall'),
  lines: [
    ['Enter', t('help.open')],
    [`Space Shift+Space ${ctrl}A`, t('help.selectTile')],
  ],
})

const form: Part = (ctrl) => ({
  title: t('help.form'),
  lines: [
    [`${ctrl}.`, t('keys.scope')],
    [`${ctrl}Delete`, t('keys.remove')],
    [`${ctrl}D`, t('help.takeOver')],
    ['Esc', t('help.discard')],
  ],
})

const gallery: Part = () => ({
  title: t('help.gallery'),
  lines: [
    ['Alt+← Alt+→', t('help.moveBack')],
    ['Delete', t('help.takeOut')],
  ],
})

const tree: Part = () => ({
  title: t('help.tree'),
  lines: [
    ['← ↑ → ↓', t('help.moveInTree')],
    ['Alt+← ↑ → ↓', t('help.moveCategory')],
    ['Alt+↑ Alt+↓', t('help.moveRecord')],
  ],
})

const columns: Part = () => ({ title: t('help.columns'), lines: [['Alt+↑ Alt+↓', t('help.moveColumn')]] })

const dialogs = (): KeyGroup => ({
  title: t('help.dialogs'),
  lines: [
    ['Esc', t('close')],
    ['Enter', t('help.confirm')],
  ],
})
