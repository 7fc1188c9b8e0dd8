// A reference to a record: the search finds it by its ID, its label or its content. A record that was just chosen shows
// its label.
import { useState } from 'preact/hooks'
import { useConsole } from '../state/context.ts'
import type { Option } from './choices.ts'
import { Combobox, type ComboboxProps } from './combobox.tsx'

const FOUND = 20

interface RecordFieldProps extends Pick<ComboboxProps, 'input' | 'label' | 'placeholder'> {
  readonly recordId: string | undefined
  readonly onChoose: (recordId: string | undefined) => void
}

/** @param schemaId undefined: of any schema */
export function useRecordFinder(schemaId?: string): (text: string, signal: AbortSignal) => Promise<Option[]> {
  const { call } = useConsole()
  return async (text, signal) => {
    const query = text.trim()
    if (query === '') return []
    const asked = { query, limit: FOUND, include: 'image', schemaId } as const
    const { body } = await call('GET /api/v1/records/suggest', { query: asked, signal })
    return body.map(({ id, label, image }) => ({ id, name: label ?? id, detail: id, picture: image }))
  }
}

export function RecordField({ recordId, onChoose, ...rest }: RecordFieldProps) {
  const find = useRecordFinder()
  const [chosen, setChosen] = useState<Option | undefined>(undefined)
  const shown = chosen?.id === recordId ? chosen : undefined
  return (
    <Combobox
      {...rest}
      options={find}
      value={recordId === undefined ? null : (shown ?? { id: recordId, name: recordId })}
      onChange={(option) => {
        setChosen(option ?? undefined)
        onChoose(option?.id)
      }}
    />
  )
}
