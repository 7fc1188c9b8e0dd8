// The button for a new record. The place of records has the form.
import { createElement } from 'preact'
import { useConsole } from '../state/context.ts'
import { usePanel } from '../state/panels.ts'
import { t } from '../words/place.ts'
import { PopoverButton } from '../kit/popover.tsx'
import type { RecordsState } from './records-state.ts'

interface NewRecordProps {
  readonly records: RecordsState
  readonly onMade: (recordId: string) => void
}

export function NewRecord({ records, onMade }: NewRecordProps) {
  const { model, router } = useConsole()
  const schema = records.schema.value
  const isOpen = router.query.value['new'] !== undefined
  const panel = usePanel('newRecord', isOpen)
  if (schema === undefined || !model.may('records.create')) return null
  const onOpen = (isNew: boolean) => router.setQuery({ new: isNew ? '1' : undefined })
  // The form takes the focus when it opens, so the popover waits for its code.
  return (
    <PopoverButton
      label={t('records.new')}
      icon="add"
      kind="main"
      open={{ isOpen: isOpen && panel !== undefined, onOpen }}
    >
      {(close) =>
        createElement(panel!, {
          schemaId: schema.id,
          onMade: (id) => {
            records.made.add(id)
            records.renew()
            close()
            onMade(id)
          },
        })
      }
    </PopoverButton>
  )
}
