// Filters as a form field: the sheet's filters, loaded on first display.
import { createElement } from 'preact'
import { type CriteriaPanelProps, usePanel } from '../state/panels.ts'
import { LoadingLine } from './states.tsx'

export function CriteriaField(props: CriteriaPanelProps) {
  const panel = usePanel('criteria', true)
  return panel === undefined ? <LoadingLine isBusy /> : createElement(panel, props)
}
