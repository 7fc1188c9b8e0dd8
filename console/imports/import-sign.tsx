// The state of an import, as a word and a shape.
import { Icon } from '../kit/icon.tsx'
import { t } from '../words/place.ts'
import type { Import } from './mapping.ts'

const SIGNS = { uploaded: 'wait', mapped: 'wait', running: 'wait', done: 'good' } as const

export function ImportSign({ found: { status } }: { readonly found: Pick<Import, 'status'> }) {
  const sign = SIGNS[status]
  return (
    <span class={`sign ${sign}`}>
      <Icon name={sign} />
      {t(`imports.status.${status}`)}
    </span>
  )
}
