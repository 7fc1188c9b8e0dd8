// Above a form of many fields: finds fields by name, and folds all groups.
import { useRef } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { useCommands } from '../state/context.ts'
import { t } from '../words/place.ts'
import type { Folding } from './folding.ts'

interface FindFieldProps {
  readonly folding: Folding
  readonly hasGroups: boolean
}

export function FindField({ folding, hasGroups }: FindFieldProps) {
  const row = useRef<HTMLDivElement>(null)
  useCommands(() => [
    {
      id: 'record-find',
      group: 'here',
      title: () => t('record.findField'),
      run: () => row.current?.querySelector('input')?.focus(),
    },
  ])
  return (
    <div class="row find-field" ref={row}>
      <TextField label={t('record.findField')} type="search" value={folding.text} onInput={folding.setText} />
      {hasGroups && folding.text === '' && (
        <Button kind="quiet" icon={folding.areAllFolded ? 'down' : 'right'} onClick={folding.toggleAll}>
          {t(folding.areAllFolded ? 'record.unfoldAll' : 'record.foldAll')}
        </Button>
      )}
    </div>
  )
}
