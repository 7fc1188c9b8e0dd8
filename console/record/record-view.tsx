// A record: its values, variants, categories and history. As a page, and as a panel beside the sheet. Contract 3 §1.
import { useSignalEffect } from '@preact/signals'
import { type ComponentChildren, createElement } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { Refusal } from '../api/failures.ts'
import { Changes, ErrorBox, LoadingLine } from '../kit/states.tsx'
import { type Tab, Tabs } from '../kit/tabs.tsx'
import { useCommands, useConsole, useQuery, useRead } from '../state/context.ts'
import type { CommentsPanelProps } from '../state/panel-props.ts'
import { usePanel } from '../state/panels.ts'
import { t } from '../words/place.ts'
import { CategoriesTab } from './categories-tab.tsx'
import { DeletedRecord } from './deleted-record.tsx'
import { HistoryTab } from './history-tab.tsx'
import { type RecordData, readRecord, recordKey } from './record-data.ts'
import { RecordForm } from './record-form.ts'
import { RecordSaver } from './record-saver.ts'
import { useLocale } from '../fields/use-locale.ts'
import { labelOf, RecordContext, type RecordContent, useRecord } from './use-record.ts'
import { ValuesTab } from './values-tab.tsx'
import { VariantsTab } from './variants-tab.tsx'

interface RecordViewProps {
  readonly recordId: string
  /** Opens the next record of the list; undefined: none. */
  readonly onNext: (() => void) | undefined
  readonly onChanged: (recordId: string) => void
  /** The surroundings of the content. */
  readonly children: (
    head: { readonly label: string; readonly data: RecordData | undefined },
    body: ComponentChildren,
  ) => ComponentChildren
}

export function RecordView({ recordId, onNext, onChanged, children }: RecordViewProps) {
  const console = useConsole()
  const { call, model, scope, cache } = console
  const locale = useLocale()
  const query = useQuery(recordKey(recordId, 'form'), (signal) => readRecord(call, recordId, signal))
  const form = useMemo(() => new RecordForm(console, recordId), [console, recordId])
  const renew = () => {
    cache.refreshAll(`record ${recordId} `)
    onChanged(recordId)
  }
  const saver = useMemo(
    () =>
      new RecordSaver(
        form,
        () => query,
        () => onChanged(recordId),
      ),
    [form, query],
  )
  useEffect(() => () => form.close(), [form])
  useSignalEffect(() => {
    const data = query.data.value
    if (data !== undefined && data !== form.stored.peek()) form.take(data)
  })
  useSignalEffect(() => {
    // Without unsaved edits, other users' changes appear at once.
    if (query.changes.value > 0 && form.changes.peek().size === 0) void query.refresh()
  })
  const data = form.stored.value
  // A key pressed before the record has loaded takes effect later.
  const ask = () => (form.isNextAsked = true)
  useCommands(
    () =>
      data === undefined
        ? [{ id: 'record-missing', group: 'here', keys: 'f8', title: () => t('record.nextMissing'), run: ask }]
        : [],
    [form, data === undefined],
  )
  const error = query.error.value
  const schema = form.schema.value
  const mayWrite = model.may('records.update')
  const asked = { query: { recordIds: recordId } }
  const comments = useRead(recordKey(recordId, 'talk count'), 'GET /api/v1/comments/open', asked)
  const content = useMemo<RecordContent | undefined>(
    () => (schema === undefined ? undefined : { form, saver, schema, locale, mayWrite, renew, comments }),
    [form, saver, schema, locale, mayWrite, comments],
  )
  const label = data === undefined ? recordId : labelOf(data, schema, scope.current.value)
  const isGone = error instanceof Refusal && error.status === 404
  return (
    <>
      {children(
        { label, data },
        <>
          <LoadingLine isBusy={query.isBusy.value} />
          {isGone && <DeletedRecord recordId={recordId} onRestored={() => void query.refresh()} />}
          {!isGone && error !== undefined && <ErrorBox error={error} onRetry={() => void query.refresh()} />}
          {!isGone && data !== undefined && content !== undefined && (
            <RecordContext.Provider value={content}>
              <Changes query={query} />
              <RecordTabs onNext={onNext} />
            </RecordContext.Provider>
          )}
        </>,
      )}
    </>
  )
}

const TABS = ['values', 'variants', 'categories', 'comments', 'history'] as const
type TabName = (typeof TABS)[number]

function Comments(props: CommentsPanelProps) {
  const panel = usePanel('comments', true)
  return panel === undefined ? <LoadingLine isBusy /> : createElement(panel, props)
}

function RecordTabs({ onNext }: Pick<RecordViewProps, 'onNext'>) {
  const { router, model } = useConsole()
  const { tab } = router.query.value
  const open: TabName = TABS.find((name) => name === tab) ?? 'values'
  const { form, schema, comments } = useRecord()
  const counts: Partial<Record<TabName, number>> = {
    variants: form.stored.value?.record.variantCount ?? 0,
    comments: comments.data.value?.items.reduce((sum, { open }) => sum + open, 0) ?? 0,
  }
  const tabs = TABS.filter((name) => name !== 'history' || model.may('audit.read')).map((name): Tab => {
    const shown = { id: name, title: t(`record.tab.${name}`) }
    const count = counts[name] ?? 0
    return count > 0 ? { ...shown, count } : shown
  })
  return (
    <Tabs
      label={t('record.tabs')}
      tabs={tabs}
      open={open}
      onOpen={(name) => router.setQuery({ tab: name === 'values' ? undefined : name }, { isStep: true })}
    >
      {open === 'values' && <ValuesTab onNext={onNext} />}
      {open === 'variants' && <VariantsTab />}
      {open === 'categories' && <CategoriesTab />}
      {open === 'comments' && <Comments recordId={form.recordId} schemaId={schema.id} />}
      {open === 'history' && <HistoryTab />}
    </Tabs>
  )
}
