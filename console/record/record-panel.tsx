// A record beside the sheet.
import { Button } from '../kit/button.tsx'
import { SidePanel } from '../kit/dialog.tsx'
import { placeIn, Presence } from '../kit/presence.tsx'
import { ScopeBar } from '../kit/scope-bar.tsx'
import { Thumb } from '../kit/thumb.tsx'
import { useCommands, useConsole } from '../state/context.ts'
import type { RecordPanelProps } from '../state/panel-props.ts'
import { t } from '../words/place.ts'
import { LIST } from './record-data.ts'
import { RecordView } from './record-view.tsx'
import { ShareButton } from './share-button.tsx'

export function RecordPanel({ recordId, list, place, onStep, onClose, onChanged }: RecordPanelProps) {
  const { router } = useConsole()
  useCommands(
    () => [
      { id: 'record-next', group: 'here', keys: 'j', title: () => t('record.next'), run: () => onStep(1) },
      { id: 'record-previous', group: 'here', keys: 'k', title: () => t('record.previous'), run: () => onStep(-1) },
    ],
    [recordId, place?.at],
  )
  const { scope, tab, with: source } = router.query.value
  const query = Object.fromEntries(
    Object.entries({ scope, tab, with: source }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return (
    <RecordView
      recordId={recordId}
      onNext={place?.at === place?.total && place ? undefined : () => onStep(1)}
      onChanged={onChanged}
    >
      {({ label, data }, body) => (
        <SidePanel guide="console#one-record" title={label} onClose={onClose}>
          <div class="record in-panel">
            <div class="row record-tools">
              {data?.record.image && <Thumb picture={data.record.image} />}
              <Button kind="quiet" icon="left" label={t('record.previous')} onClick={() => onStep(-1)} />
              {place !== undefined && <span class="quiet">{t('of', place)}</span>}
              <Button kind="quiet" icon="right" label={t('record.next')} onClick={() => onStep(1)} />
              <Presence here={() => placeIn(recordId)} />
              <span class="grow" />
              <ScopeBar />
              {data !== undefined && <ShareButton recordId={recordId} schemaId={data.record.schemaId} />}
              <Button
                kind="quiet"
                icon="external"
                onClick={() =>
                  router.go({ place: 'records', id: recordId, query }, list === undefined ? {} : { [LIST]: list() })
                }
              >
                {t('record.page')}
              </Button>
            </div>
            {body}
          </div>
        </SidePanel>
      )}
    </RecordView>
  )
}
