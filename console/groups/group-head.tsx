// The head of a group in the sheet: its value, the number of its records, their mean completeness, and its fold.
import type { GroupBy, GroupTools, RowGroup } from '../grid/groups.ts'
import { optionName } from '../fields/options.ts'
import { useLocale } from '../fields/use-locale.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { StateMark } from '../kit/state-mark.tsx'
import { t } from '../words/place.ts'
import { percent } from '../words/words.ts'
import { followMoves } from './follow-moves.ts'
import { GroupStore } from './group-rows.ts'
import { fillTexts } from './fill.ts'
import { followFill } from './fill-handle.ts'

type HeadProps = Parameters<GroupTools['drawHead']>[0]

function GroupHead(props: HeadProps) {
  const { index, top, height, width, columns, cellId, isSelected, group, isFolded, by, onMore } = props
  return (
    <div
      class="sheet-row sheet-group"
      role="row"
      aria-rowindex={index + 2}
      aria-level={1}
      aria-expanded={!isFolded}
      aria-selected={isSelected}
      data-row={index}
      style={{ transform: `translateY(${top}px)`, height: `${height}px`, width: `${width}px` }}
    >
      <div class="sheet-handle" role="rowheader" aria-colindex={1} data-handle="">
        <span class="sheet-check" />
        <span class="unseen">{index + 1}</span>
      </div>
      <div
        id={cellId}
        class="sheet-group-cell"
        role="gridcell"
        aria-colindex={2}
        aria-colspan={columns}
        data-column={0}
        data-cursor={cellId === undefined ? undefined : ''}
      >
        <span class="sheet-fold" data-fold="" aria-hidden="true">
          <Icon name={isFolded ? 'right' : 'down'} />
        </span>
        <strong class="sheet-group-name" dir="auto">
          <GroupName group={group} by={by} />
        </strong>
        <span class="quiet">{t('records', { count: group.count })}</span>
        {group.isRest && onMore !== undefined && (
          <Button
            kind="quiet"
            onClick={() => {
              // The button disappears.
              document.querySelector<HTMLElement>('.sheet')?.focus()
              onMore()
            }}
          >
            {t('records.groupMore')}
          </Button>
        )}
        <Mean completeness={group.completeness} />
      </div>
    </div>
  )
}

function GroupName({ group: { value, label, isRest }, by }: { readonly group: RowGroup; readonly by: GroupBy }) {
  const locale = useLocale()
  if (isRest) return <>{t('records.groupRest')}</>
  if (value === null) return <span class="quiet">{t('records.groupEmpty')}</span>
  if (by.kind === 'attribute' && by.attribute.dataType === 'boolean')
    return <>{value === 'true' ? locale.yes : locale.no}</>
  if (by.kind === 'attribute' && by.attribute.options.length > 0) {
    const at = by.attribute.options.findIndex(({ id }) => id === value)
    return <span class={`sheet-chip hue-${Math.max(0, at) % HUES}`}>{optionName(value, by.attribute, locale)}</span>
  }
  if (by.kind === 'field' && by.field === 'lifecycleStateId')
    return <StateMark workflowId={by.workflowId} stateId={value} />
  return <>{label ?? value}</>
}

const HUES = 6

/** The mean completeness; undefined: it is still being counted. */
function Mean({ completeness }: { readonly completeness: number | null | undefined }) {
  if (completeness === undefined || completeness === null) return null
  return (
    <span class="sheet-mean quiet" title={t('records.groupMean')}>
      <meter class="sheet-bar" min={0} max={100} value={completeness} aria-hidden="true" />
      <span class="unseen">{t('records.groupMean')}</span>
      <span>⌀ {percent(Math.round(completeness))}</span>
    </span>
  )
}

export const groupTools: GroupTools = {
  fillTexts,
  followFill,
  makeRows: (host) => new GroupStore(host),
  followMoves,
  drawHead: (props) => <GroupHead {...props} />,
}
