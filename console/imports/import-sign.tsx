// The state of an import, as a word and a shape.
import { Icon } from '../kit/icon.tsx'
import { JobSign } from '../kit/job-sign.tsx'
import { t } from '../words/place.ts'
import type { Import } from './mapping.ts'

/** The signs of states. An import whose run is deleted shows no success. */
const SIGNS = { uploaded: 'wait', mapped: 'wait', running: 'wait', done: undefined } as const

export function ImportSign({ found: { status, lastRun } }: { readonly found: Pick<Import, 'status' | 'lastRun'> }) {
  if (status === 'done' && lastRun !== null) return <JobSign job={lastRun} />
  const sign = SIGNS[status]
  return (
    <span class={`sign ${sign ?? 'quiet'}`}>
      {sign !== undefined && <Icon name={sign} />}
      {t(`imports.status.${status}`)}
    </span>
  )
}
