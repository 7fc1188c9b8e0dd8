// Filters as a field of a form: the sheet's, loaded when they are first shown.
import { createElement } from 'preact'
import { type CriteriaPanelProps, usePanel } from '../state/panels.ts'
import { LoadingLine } from './states.tsx'

export function CriteriaField(props: CriteriaPanelProps) {
  const panel = usePanel('criteria', true)
  return panel === undefined ? <LoadingLine isBusy /> : createElement(panel, props)
}
