// The history of one value: the author, the time, the value before and after, and restoring an earlier value. Contract
// 5 §5.
import { type Scope, scopeKey } from '../../src/core/scopes/scope.ts'
import { isSameValue } from '../../src/kernel/text.ts'
import { useLocale } from '../fields/use-locale.ts'
import { useActing } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { namedIn, useRecordLabels } from '../kit/record-labels.ts'
import { Empty, NoPermission, Shown } from '../kit/states.tsx'
import { useConsole, useQuery } from '../state/context.ts'
import type { CellPanelProps } from '../state/sheet-panel-props.ts'
import { usePeople } from '../state/people.ts'
import { t } from '../words/place.ts'
import { moment } from '../words/words.ts'
import { Difference } from './change-text.tsx'
import { type AuditEntry, restoreValue, valueChanges, type ValueChange, versionBefore } from './past.ts'

const PAGE = 50
/** The most pages to read, because entries of other scopes may be between. */
const MOST_PAGES = 4

export function CellHistory(props: CellPanelProps) {
  const { model } = useConsole()
  return model.may('audit.read') ? <History {...props} /> : <NoPermission permission="audit.read" />
}

interface Change {
  readonly entry: AuditEntry
  readonly change: ValueChange
  /** The version with the earlier value; undefined: this is the first version. */
  readonly before: number | undefined
}

function History(props: CellPanelProps) {
  const { call, model } = useConsole()
  const { recordId, schemaId, alias, scope, value, mayWrite } = props
  const nameOf = usePeople()
  const locale = useLocale()
  const takeBack = useTakeBack(props)
  const attribute = model.schema(schemaId)?.rules.attribute(alias)
  // Another value has another history.
  const key = `cell history ${recordId} ${alias} ${scopeKey(scope)} ${JSON.stringify(value)}`
  const query = useQuery(key, async (signal) => {
    const entries: AuditEntry[] = []
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const last = entries.at(-1)
      const asked = { limit: PAGE, attributeAlias: alias, before: last?.id }
      const { body } = await call('GET /api/v1/records/:id/audit', { params: { id: recordId }, query: asked, signal })
      entries.push(...body)
      if (body.length < PAGE) break
    }
    return changesOf(entries, alias, scope)
  })
  const all = (query.data.value ?? []).flatMap(({ change }) => [change.oldValue, change.newValue])
  const labelOf = useRecordLabels(namedIn(attribute, all))
  return (
    <div class="cell-panel">
      <h2 dir="auto">
        {model.attributeName(schemaId, alias)} <span class="quiet">{model.scopeName(scope)}</span>
      </h2>
      <Shown query={query}>
        {(changes) => (
          <>
            {changes.length === 0 && <Empty icon="history" title={t('record.noHistory')} />}
            <ol class="history">
              {changes.map(({ entry, change, before }) => (
                <li key={entry.id} class="entry">
                  <header class="row">
                    <time dateTime={entry.timestamp}>{moment(entry.timestamp)}</time>
                    <strong dir="auto">{nameOf(entry.userId)}</strong>
                  </header>
                  <div class="entry-change">
                    <div class="change-text grow">
                      <Difference
                        attribute={attribute}
                        locale={locale}
                        before={change.oldValue}
                        after={change.newValue}
                        labelOf={labelOf}
                      />
                    </div>
                    {mayWrite && before !== undefined && !isSameValue(change.oldValue, value) && (
                      <Button kind="quiet" icon="undo" onClick={() => takeBack(before, change)}>
                        {t('records.takeBack')}
                      </Button>
                    )}
                  </div>
                </li>
              ))}
            </ol>
          </>
        )}
      </Shown>
    </div>
  )
}

function changesOf(entries: readonly AuditEntry[], alias: string, scope: Scope): Change[] {
  return entries.flatMap((entry, index) =>
    valueChanges(entry)
      .filter((change) => change.attributeAlias === alias && scopeKey(change.scope as Scope) === scopeKey(scope))
      .map((change) => ({ entry, change, before: versionBefore(entries, index) })),
  )
}

/** Restores the value from a version. Undo writes the present value back, unless somebody has changed it meanwhile. */
function useTakeBack({ recordId, schemaId, alias, scope, value, onChanged, onClose }: CellPanelProps) {
  const { call, status, undo, model } = useConsole()
  const { act } = useActing()
  const params = { id: recordId }
  return (version: number, change: ValueChange) => {
    const restore = async () => {
      await call('POST /api/v1/records/:id/restore', { params, body: restoreValue(version, change) })
      onChanged()
    }
    const back = async () => {
      const values = Object.fromEntries([[alias, [{ scope, value }]]])
      const expect = [{ attributeAlias: alias, scope, value: change.oldValue }]
      await call('PATCH /api/v1/records/:id', { params, body: { values, expect } })
      onChanged()
    }
    void act(async () => {
      await restore()
      status.tell(t('record.restored'))
      const name = model.attributeName(schemaId, alias)
      undo.push({ name: t('records.stepRestore', { name }), undo: back, redo: restore })
      onClose()
    })
  }
}
