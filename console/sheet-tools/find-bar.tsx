// The bar of a search within the sheet: the text, the number of the hit, and buttons to the next one.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocale } from '../fields/use-locale.ts'
import { Button } from '../kit/button.tsx'
import { useConsole } from '../state/context.ts'
import type { FindPanelProps } from '../state/sheet-panel-props.ts'
import { t } from '../words/place.ts'
import { Finder } from './finder.ts'
import { marksOf } from './marks.ts'

/** Milliseconds after the last key. */
const TYPING = 200
const MOST_CHARACTERS = 200

export function FindBar(props: FindPanelProps) {
  const { browser } = useConsole()
  const [text, setText] = useState(props.text)
  const finder = useFinder(props)
  const field = useRef<HTMLInputElement>(null)
  // The field has the focus at once: an earlier key would be lost.
  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => browser.after(TYPING, () => void finder.look(text.trim())), [text, finder])
  const found = finder.found.value
  const step = (by: 1 | -1): void => void finder.step(by)
  const press = (event: KeyboardEvent): void => {
    const isFind = event.key === 'f' && (event.ctrlKey || event.metaKey)
    if (event.key !== 'Enter' && event.key !== 'Escape' && !isFind) return
    event.preventDefault()
    event.stopPropagation()
    if (isFind) field.current?.select()
    else if (event.key === 'Escape') props.onClose()
    else if (event.target === field.current && finder.text !== text.trim()) void finder.look(text.trim())
    else step(event.shiftKey ? -1 : 1)
  }
  return (
    <form class="toolbar" role="search" aria-label={t('records.find')} onKeyDown={press}>
      <input
        ref={field}
        class="search"
        type="search"
        aria-label={t('records.find')}
        placeholder={t('records.find')}
        maxLength={MOST_CHARACTERS}
        dir="auto"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onFocus={() => finder.forget()}
      />
      <span class="count" role="status">
        {found !== undefined &&
          (found.total === 0 ? t('records.findNone') : t('of', { at: found.at, total: found.total }))}
      </span>
      <Button kind="quiet" icon="arrowUp" label={t('records.findPrevious')} onClick={() => step(-1)} />
      <Button kind="quiet" icon="arrowDown" label={t('records.findNext')} onClick={() => step(1)} />
      <Button kind="quiet" icon="close" label={t('close')} onClick={props.onClose} />
    </form>
  )
}

function useFinder(props: FindPanelProps): Finder {
  const { call, model, status } = useConsole()
  const now = { ...props, locale: useLocale() }
  const latest = useRef(now)
  latest.current = now
  const finder = useMemo(() => {
    let columns: readonly number[] = []
    return new Finder(
      {
        find: async (text, start, signal) => {
          const { selection, sort, parts } = latest.current.list()
          const marks = marksOf(text, latest.current.columns, latest.current.locale, statesOf(selection.schemaId ?? ''))
          columns = marks.map(({ column }) => column)
          if (marks.length === 0) return { total: 0, offset: 0, places: [] }
          const body = { ...selection, sort, parts, marks: marks.map(({ criterion }) => criterion), ...start }
          return (await call('POST /api/v1/search/places', { body, signal })).body
        },
        go: ({ part, row, mark }) => latest.current.onGo({ part, row, column: columns[mark]! }),
        failed: (error) => status.complain(error instanceof Error ? error.message : String(error)),
      },
      props.from(),
    )
  }, [])
  useEffect(() => () => finder.close(), [finder])
  return finder
  function statesOf(schemaId: string) {
    const workflowId = model.schema(schemaId)?.workflowId ?? ''
    const states = model.workspace.peek()?.workflows.get(workflowId)?.states ?? []
    return states.map(({ id }) => ({ id, name: model.stateName(workflowId, id) }))
  }
}
