// Files that the user drops on rows of the sheet: they become the image of the record, with an undo step. Contract 4 §2.
import { createElement } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { scopedValues } from '../../src/core/records/rules/record.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import { problemText } from '../fields/problem-text.ts'
import { cellScope, cellValue, storedValue } from '../grid/cell-value.ts'
import { fileEvents } from '../grid/sheet-events.ts'
import { sayFailure } from '../kit/failure-text.ts'
import { useConsole } from '../state/context.ts'
import { usePanel } from '../state/panels.ts'
import { mayMakePictures, pictureSchemaOf } from '../state/pictures.ts'
import { t } from '../words/place.ts'
import type { CellWriter } from './cell-writer.ts'
import type { RecordsState } from './records-state.ts'

interface Dropped {
  readonly key: number
  readonly recordId: string
  readonly label: string
  readonly files: readonly File[]
  readonly attribute: Attribute
  /** The scope of the bar when the files were dropped. */
  readonly scope: Scope
}

export function useRowFiles(records: RecordsState) {
  const { model } = useConsole()
  const [dropped, setDropped] = useState<readonly Dropped[]>([])
  const { schema, scope } = records
  const attribute = schema.value?.rules.attribute(schema.value.imageAttribute ?? '')
  const isTaken = attribute !== undefined && takesFiles(records, attribute)
  const files = useMemo(() => {
    if (!isTaken) return undefined
    return fileEvents((at, list) => {
      const row = records.store.row(at)
      if (row === undefined || row.state === 'deleted' || list.length === 0) return
      const { id, values } = row.record
      const label = scopedValues(values, schema.peek()?.labelAttribute ?? '')[0]?.value
      const one = { recordId: id, label: typeof label === 'string' ? label : id, files: list, attribute }
      const where = cellScope(scope.peek(), {}, attribute)
      setDropped((before) => [...before, { ...one, key: (before.at(-1)?.key ?? 0) + 1, scope: where }])
    })
  }, [records, attribute, isTaken, model])
  return { files, dropped, onDone: (key: number) => setDropped((before) => before.filter((one) => one.key !== key)) }
}

function takesFiles(records: RecordsState, attribute: Attribute): boolean {
  const { model } = records.console
  if (!model.may('records.update') || records.access(attribute.alias) !== 'write') return false
  const pictures = pictureSchemaOf(model, attribute)
  return pictures === undefined
    ? attribute.dataType === 'file' && model.may('files.write')
    : mayMakePictures(model, pictures)
}

interface RowFilesProps {
  readonly records: RecordsState
  readonly writer: CellWriter
  readonly dropped: readonly Dropped[]
  readonly onDone: (key: number) => void
}

export function RowFiles({ records, writer, dropped, onDone }: RowFilesProps) {
  const { model, status } = useConsole()
  const panel = usePanel('dropped', dropped.length > 0)
  if (panel === undefined) return null
  return (
    <>
      {dropped.map((one) =>
        createElement(panel, {
          ...one,
          pictures: pictureSchemaOf(model, one.attribute),
          // The event of this picture is no news.
          onPicture: (id) => records.made.add(id),
          onMade: (made) => {
            write(records, writer, one, made).catch((error: unknown) => status.complain(sayFailure(error as Error)))
          },
          onDone: () => onDone(one.key),
        }),
      )}
    </>
  )
}

/** Sets the file, or adds the pictures after those that the record has on the server now. */
async function write(
  { console }: RecordsState,
  writer: CellWriter,
  { recordId, label, attribute, scope }: Dropped,
  made: readonly unknown[],
): Promise<void> {
  const { alias } = attribute
  const query = { include: 'effectiveValues' }
  const { body: record } = await console.call('GET /api/v1/records/:id', { params: { id: recordId }, query })
  const before = storedValue(record.values, alias, scope) ?? null
  const after =
    attribute.dataType === 'file' ? made[0] : withPictures(cellValue(record, alias, scope, attribute).value, made)
  const fault = dataTypeOf(attribute).findFault(after, attribute)
  if (fault !== undefined) return console.status.complain(t('record.problem', { problem: problemText(fault.problem) }))
  const name = t('records.pictureStep', { name: label })
  if (!(await writer.write([{ recordId, alias, scope, before, after }], name))) return
  console.status.tell(t('records.pictureAdded', { name: label }))
}

function withPictures(now: unknown, made: readonly unknown[]): readonly unknown[] {
  return [...(Array.isArray(now) ? (now as unknown[]) : []), ...made]
}
