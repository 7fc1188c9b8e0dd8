// Filters as a form field: the sheet's filters, loaded on first display.
import { createElement } from 'preact'
import type { CriteriaPanelProps } from '../state/panel-props.ts'
import { usePanel } from '../state/panels.ts'
import { LoadingLine } from './states.tsx'

export function CriteriaField(props: CriteriaPanelProps) {
  const panel = usePanel('criteria', true)
  return panel === undefined ? <LoadingLine isBusy /> : createElement(panel, props)
}
