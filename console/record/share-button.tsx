// Opens the dialog that prints the record, or shares it by a link.
import { createElement } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { useCommands } from '../state/context.ts'
import { usePanel, usePanels } from '../state/panels.ts'
import { t } from '../words/place.ts'

export function ShareButton({ recordId, schemaId }: { readonly recordId: string; readonly schemaId: string }) {
  const [isOpen, setOpen] = useState(false)
  const hasPanel = usePanels().sheets !== undefined
  const panel = usePanel('sheets', isOpen)
  useCommands(
    () =>
      hasPanel
        ? [{ id: 'record-share', group: 'here', keys: 'p', title: () => t('sheets.title'), run: () => setOpen(true) }]
        : [],
    [recordId, hasPanel],
  )
  if (!hasPanel) return null
  return (
    <>
      <Button kind="quiet" icon="exports" label={t('sheets.title')} onClick={() => setOpen(true)} />
      {isOpen &&
        panel !== undefined &&
        createElement(panel, { selection: { ids: [recordId] }, count: 1, schemaId, onClose: () => setOpen(false) })}
    </>
  )
}
