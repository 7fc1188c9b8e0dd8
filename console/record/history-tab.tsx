// The history of a record: authors, changes (texts as a difference by words), and restoring. Contract 3 §3. Y1, Y2, Y3.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { useActing } from '../kit/acting.ts'
import { DeleteButton } from '../kit/deletion.tsx'
import { Select } from '../kit/field.tsx'
import { Empty, Shown, NoPermission } from '../kit/states.tsx'
import { namedIn, useRecordLabels } from '../kit/record-labels.ts'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { usePeople } from '../state/people.ts'
import { t } from '../words/place.ts'
import { moment } from '../words/words.ts'
import { ChangeText, CategoriesText } from './change-text.tsx'
import {
  type AuditEntry,
  isValueChange,
  originPlace,
  restoreEntry,
  type RestoreBody,
  restoreMoment,
  restoreValue,
  valueChanges,
  versionBefore,
} from './past.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { stepOfRestoring } from './record-steps.ts'
import { useRecord, useRecordQuery } from './use-record.ts'

const PAGE = 50
const ALL = ''

export function HistoryTab() {
  const { model } = useConsole()
  return model.may('audit.read') ? <History /> : <NoPermission permission="audit.read" />
}

function History() {
  const { model, call } = useConsole()
  const { form, schema } = useRecord()
  const [alias, setAlias] = useState(ALL)
  const [pages, setPages] = useState(1)
  const id = form.recordId
  const query = useRecordQuery(`history ${alias} ${pages}`, async (signal) => {
    const entries: AuditEntry[] = []
    for (let page = 0; page < pages; page += 1) {
      const last = entries.at(-1)
      const asked = {
        limit: PAGE,
        before: last?.id,
        attributeAlias: alias === ALL ? undefined : alias,
      }
      const { body } = await call('GET /api/v1/records/:id/audit', { params: { id }, query: asked, signal })
      entries.push(...body)
      if (body.length < PAGE) break
    }
    return entries
  })
  const readable = schema.attributes.filter((one) => model.access(schema.id, one.alias) !== 'none')
  return (
    <div class="history-tab">
      <div class="row">
        <Select
          label={t('record.historyOf')}
          value={alias}
          choices={[
            { id: ALL, name: t('record.historyOfAll') },
            ...readable.map((one) => ({ id: one.alias, name: model.nameOf(one) })),
          ]}
          onChange={(chosen) => {
            setAlias(chosen)
            setPages(1)
          }}
        />
        <EraseButton />
      </div>
      <Shown query={query}>
        {(entries) => (
          <>
            {entries.length === 0 && <Empty icon="history" title={t('record.noHistory')} />}
            <Entries entries={entries} isFiltered={alias !== ALL} />
            {entries.length >= pages * PAGE && (
              <Button onClick={() => setPages(pages + 1)}>{t('record.earlier')}</Button>
            )}
          </>
        )}
      </Shown>
    </div>
  )
}

/** Erases the earlier values of the record, as data protection may require. */
function EraseButton() {
  const { call, model } = useConsole()
  const { form, renew } = useRecord()
  if (!model.may('audit.erase')) return null
  return (
    <DeleteButton
      name={t('record.earlierValues')}
      label={t('people.may.audit.erase')}
      help={t('record.eraseHelp')}
      remove={() => call('DELETE /api/v1/records/:id/history', { params: { id: form.recordId } })}
      onDone={renew}
    />
  )
}

function Entries({ entries, isFiltered }: { readonly entries: readonly AuditEntry[]; readonly isFiltered: boolean }) {
  const { model } = useConsole()
  const { mayWrite } = useRecord()
  const { schema } = useRecord()
  const nameOf = usePeople()
  const changes = entries.flatMap(valueChanges)
  const labelOf = useRecordLabels(
    changes.flatMap(({ attributeAlias, oldValue, newValue }) =>
      namedIn(schema.rules.attribute(attributeAlias), [oldValue, newValue]),
    ),
  )
  const restore = useRestore()
  const [moment, setMoment] = useState<AuditEntry | undefined>(undefined)
  const mayRestore = mayWrite && model.may('records.update')
  return (
    <ol class="history">
      {entries.map((entry, index) => (
        <Entry
          key={entry.id}
          entry={entry}
          name={nameOf(entry.userId)}
          labelOf={labelOf}
          before={versionBefore(entries, index)}
          isWhole={!isFiltered}
          onRestore={mayRestore ? restore : undefined}
          onMoment={mayRestore && index > 0 && entry.erased !== true ? () => setMoment(entry) : undefined}
        />
      ))}
      {moment !== undefined && (
        <RestoreDialog
          version={moment.version}
          timestamp={moment.timestamp}
          onRestore={() => restore(restoreMoment(moment))}
          onClose={() => setMoment(undefined)}
        />
      )}
    </ol>
  )
}

interface EntryProps {
  readonly entry: AuditEntry
  readonly name: string
  readonly labelOf: (id: string) => string | undefined
  /** The version before the entry. */
  readonly before: number | undefined
  /** True: the entry lists all its changes. */
  readonly isWhole: boolean
  readonly onRestore: ((body: RestoreBody) => void) | undefined
  readonly onMoment: (() => void) | undefined
}

function Entry({ entry, name, labelOf, before, isWhole, onRestore, onMoment }: EntryProps) {
  const changes = valueChanges(entry)
  const whole = before === undefined || !isWhole ? undefined : restoreEntry(before, entry)
  return (
    <li class="entry">
      <header class="row">
        <time dateTime={entry.timestamp}>{moment(entry.timestamp)}</time>
        <strong dir="auto">{name}</strong>
        <Origin entry={entry} />
        <span class="grow" />
        {onRestore !== undefined && whole !== undefined && changes.length > 1 && (
          <Button kind="quiet" icon="undo" onClick={() => onRestore(whole)}>
            {t('record.restoreEntry', { count: changes.length })}
          </Button>
        )}
        {onMoment !== undefined && entry.action !== 'delete' && (
          <Button kind="quiet" icon="history" onClick={onMoment}>
            {t('record.restoreMoment')}
          </Button>
        )}
      </header>
      <Said entry={entry} />
      <ul>
        {changes.map((change, index) => (
          <li key={index} class="entry-change">
            <ChangeText change={change} labelOf={labelOf} />
            {onRestore !== undefined && before !== undefined && (
              <Button
                kind="quiet"
                icon="undo"
                label={t('record.restoreValue')}
                onClick={() => onRestore(restoreValue(before, change))}
              />
            )}
          </li>
        ))}
      </ul>
    </li>
  )
}

/** The effects of an entry other than changes of values. */
function Said({ entry }: { readonly entry: AuditEntry }) {
  const { model } = useConsole()
  const { schema } = useRecord()
  if (entry.action === 'create') return <p class="quiet">{t('record.created')}</p>
  if (entry.action === 'delete') return <p class="quiet">{t('record.deleted')}</p>
  if (entry.action === 'erase') return <p class="quiet">{t('record.erased')}</p>
  const nameOf = (state: unknown): string => model.stateName(schema.workflowId, String(state))
  return (
    <>
      {entry.changes.map((change, index) => {
        if (!isValueChange(change)) return <CategoriesText key={index} change={change} />
        if (entry.action !== 'transition') return null
        return (
          <p key={index} dir="auto">
            {t('record.movedFrom', { from: nameOf(change.oldValue), to: nameOf(change.newValue) })}
          </p>
        )
      })}
    </>
  )
}

function Origin({ entry }: { readonly entry: AuditEntry }) {
  const { kind } = entry.origin
  if (kind === 'api') return null
  const name = t(`record.origin.${kind}`)
  const place = originPlace(entry)
  return place === undefined ? <span class="tag">{name}</span> : <a href={writeAddress(place)}>{name}</a>
}

function useRestore(): (body: RestoreBody) => void {
  const console = useConsole()
  const { call, status, undo } = console
  const { form, renew } = useRecord()
  const { act } = useActing()
  return (body) =>
    void act(async () => {
      const before = form.stored.peek()?.record.version
      await call('POST /api/v1/records/:id/restore', { params: { id: form.recordId }, body })
      if (before !== undefined) undo.push(stepOfRestoring(console, form.recordId, body, before, renew))
      status.tell(t('record.restored'))
      renew()
    })
}
