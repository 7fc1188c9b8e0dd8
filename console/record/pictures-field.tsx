// A list of pictures. The gallery is a separate file; until it has loaded, the list is shown as text.
import type { ComponentChildren } from 'preact'
import { createElement } from 'preact'
import { dataTypeOf } from '../../src/core/datatypes/data-types.ts'
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { problemText } from '../fields/problem-text.ts'
import type { FieldInput } from '../kit/field.tsx'
import type { GalleryPanelProps } from '../state/panel-props.ts'
import { usePanel } from '../state/panels.ts'
import type { PictureSchema } from '../state/pictures.ts'
import type { FieldPlace } from './missing.ts'
import type { RecordForm } from './record-form.ts'
import { patchRecord, stepOf } from './record-saver.ts'
import { useRecord, valueInForce } from './use-record.ts'

interface PicturesProps {
  readonly attribute: Attribute
  readonly pictures: PictureSchema
  readonly value: unknown
  /** Undefined: the list is read-only. */
  readonly edit?: { readonly place: FieldPlace; readonly input: FieldInput } | undefined
  /** The list as text. */
  readonly children: ComponentChildren
}

export function Pictures({ attribute, pictures, value, edit, children }: PicturesProps) {
  const { form } = useRecord()
  const panel = usePanel('gallery', true)
  const save: GalleryPanelProps['save'] = async (id, change, onDone) => {
    await patchRecord(form.console, id, [change])
    form.console.undo.push(stepOf(form.console, id, [change], onDone))
  }
  if (panel === undefined) return <>{children}</>
  return createElement(
    panel,
    {
      attribute,
      pictures,
      ids: asIds(value),
      input: edit?.input,
      onChange: edit && changeOf(form, attribute, edit.place),
      save,
    },
    children,
  )
}

function asIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as string[]) : NO_IDS
}

const NO_IDS: readonly string[] = []

/** Changes the list that its scope contains at the time of the change: an upload may end after the bar has moved. */
function changeOf(form: RecordForm, attribute: Attribute, place: FieldPlace): GalleryPanelProps['onChange'] {
  return (change) => {
    const parent = form.stored.peek()?.parent ?? null
    const before = asIds(valueInForce(form.working.peek(), parent, attribute, place.scope).value)
    const ids = change(before)
    if (ids === before) return
    const value = ids.length === 0 ? null : ids
    const fault = value === null ? undefined : dataTypeOf(attribute).findFault(value, attribute)
    form.set(place, fault === undefined ? { value } : { value, problem: problemText(fault.problem) })
  }
}
