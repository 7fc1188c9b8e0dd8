// The page of one record. The history entry stores the list from which the record was opened; `j` and `k` move through
// this list. R7.
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { placeIn, Presence } from '../kit/presence.tsx'
import { Thumb } from '../kit/thumb.tsx'
import { useCommands, useConsole } from '../state/context.ts'
import { isTouch } from '../kit/touch.ts'
import { t } from '../words/place.ts'
import type { RecordList } from '../state/panel-props.ts'
import { isRecordList, LIST } from './record-data.ts'
import { RecordView } from './record-view.tsx'
import { ShareButton } from './share-button.tsx'

export function RecordPage() {
  const { router, model } = useConsole()
  const [id] = useState(router.id.peek() ?? '')
  const kept = router.kept(LIST)
  const list = isRecordList(kept) ? kept : undefined
  const step = useStep(id, list)
  return (
    <RecordView
      key={id}
      recordId={id}
      onNext={step !== undefined && list?.ids.at(-1) !== id ? () => step(1) : undefined}
      onChanged={() => undefined}
    >
      {({ label, data }, body) => {
        const schema = model.schema(data?.record.schemaId ?? '')
        const query: Record<string, string> = schema === undefined ? {} : { schema: schema.id }
        const title = schema === undefined ? t('place.records') : model.nameOf(schema)
        return (
          <>
            <PlaceHead
              title={label}
              hasScope
              above={{ title, place: 'records', query }}
              heading={
                <span class="row record-heading">
                  {data?.record.image && <Thumb picture={data.record.image} />}
                  <span class="record-label">{label}</span>
                  <Presence here={() => placeIn(id)} />
                </span>
              }
              actions={
                <>
                  {data !== undefined && <ShareButton recordId={id} schemaId={data.record.schemaId} />}
                  <Place id={id} list={list} onStep={step} />
                </>
              }
            />
            <div class="record" data-region>
              {body}
            </div>
          </>
        )
      }}
    </RecordView>
  )
}

function useStep(id: string, list: RecordList | undefined): ((by: 1 | -1) => void) | undefined {
  const { router, status } = useConsole()
  const at = list?.ids.indexOf(id) ?? -1
  const step = (by: 1 | -1): void => {
    const next = list?.ids[at + by]
    if (next === undefined) status.tell(t('record.endOfList'))
    else router.go({ place: 'records', id: next, query: router.query.peek() }, { [LIST]: list })
  }
  useCommands(
    () =>
      at < 0
        ? []
        : [
            { id: 'record-next', group: 'here', keys: 'j', title: () => t('record.next'), run: () => step(1) },
            { id: 'record-previous', group: 'here', keys: 'k', title: () => t('record.previous'), run: () => step(-1) },
          ],
    [id, list],
  )
  return at < 0 ? undefined : step
}

interface PlaceProps {
  readonly id: string
  readonly list: RecordList | undefined
  readonly onStep: ((by: 1 | -1) => void) | undefined
}

function Place({ id, list, onStep }: PlaceProps) {
  useEffect(() => {
    // On a phone, the focus shows all of a long title.
    if (!isTouch) document.querySelector<HTMLElement>('.head h1')?.focus({ preventScroll: true })
  }, [id])
  if (list === undefined || onStep === undefined) return null
  const at = list.first + list.ids.indexOf(id) + 1
  return (
    <span class="record-place">
      <Button kind="quiet" icon="left" label={t('record.previous')} onClick={() => onStep(-1)} />
      <span class="quiet">{t('of', { at, total: list.total })}</span>
      <Button kind="quiet" icon="right" label={t('record.next')} onClick={() => onStep(1)} />
    </span>
  )
}
