// The columns of the sheet: a searchable list of all possible columns, and the height of rows. G7, G9.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { fold } from '../state/fold.ts'
import { Segmented } from '../kit/chips.tsx'
import { Checkbox, TextField } from '../kit/field.tsx'
import type { ColumnsPanelProps } from '../state/sheet-panel-props.ts'
import { t } from '../words/place.ts'

/** Longest list; the search finds attributes beyond. */
const SHOWN = 300
const HEIGHTS = ['short', 'medium', 'tall'] as const

export function ColumnList({ columns, height, onToggle, onFirst, onHeight }: ColumnsPanelProps) {
  const [text, setText] = useState('')
  const wanted = fold(text.trim())
  const found = columns.filter(({ key, name }) => fold(`${name} ${key}`).includes(wanted))
  return (
    <div class="chooser">
      <Segmented
        label={t('records.height')}
        value={height}
        choices={HEIGHTS.map((id) => ({ id, name: t(`records.height.${id}`) }))}
        onChange={onHeight}
      />
      <TextField label={t('records.columnsFind')} type="search" value={text} onInput={setText} />
      <div class="chooser-list">
        {found.slice(0, SHOWN).map(({ key, name, detail, isShown }) => (
          <Checkbox
            key={key}
            label={
              <span dir="auto">
                {name}
                {detail !== '' && <small class="quiet"> {detail}</small>}
              </span>
            }
            isChecked={isShown}
            onChange={(isAdded) => onToggle(key, isAdded)}
          />
        ))}
      </div>
      <Button kind="quiet" onClick={onFirst}>
        {t('records.columnsFirst')}
      </Button>
    </div>
  )
}
