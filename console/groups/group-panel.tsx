// The column whose values divide the rows into groups, and folding of all groups.
import { Button } from '../kit/button.tsx'
import { Combobox } from '../kit/combobox.tsx'
import type { GroupPanelProps } from '../state/sheet-panel-props.ts'
import { t } from '../words/place.ts'

export function GroupPanel({ options, value, onChange, onFold, onMore }: GroupPanelProps) {
  return (
    <div class="stack group-panel">
      <Combobox
        label={t('records.groupColumn')}
        options={options}
        isOpenAtFirst={value === undefined}
        value={options.find(({ id }) => id === value) ?? null}
        onChange={(option) => onChange(option?.id)}
      />
      {value !== undefined && (
        <div class="row">
          <Button onClick={() => onFold(true)}>{t('records.foldAll')}</Button>
          <Button onClick={() => onFold(false)}>{t('records.unfoldAll')}</Button>
          {onMore !== undefined && <Button onClick={onMore}>{t('records.groupMore')}</Button>}
          <Button kind="quiet" icon="close" onClick={() => onChange(undefined)}>
            {t('records.groupNot')}
          </Button>
        </div>
      )}
    </div>
  )
}
