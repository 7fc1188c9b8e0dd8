// The state of an import, as a word and a shape.
import { Icon } from '../kit/icon.tsx'
import { t } from '../words/place.ts'
import type { Import } from './mapping.ts'

/** Whether a run took its rows is told by its job, so that `done` has no shape of success. */
const SIGNS = { uploaded: 'wait', mapped: 'wait', running: 'wait', done: undefined } as const

export function ImportSign({ found: { status } }: { readonly found: Pick<Import, 'status'> }) {
  const sign = SIGNS[status]
  return (
    <span class={`sign ${sign ?? 'quiet'}`}>
      {sign !== undefined && <Icon name={sign} />}
      {t(`imports.status.${status}`)}
    </span>
  )
}
