// The steps of an import, and their props.
import type { Query } from '../state/cache.ts'
import type { FormDraft } from '../state/form-draft.ts'
import type { Job } from '../state/jobs.ts'
import type { Import, MappingDraft } from './mapping.ts'

export const STEPS = ['file', 'columns', 'rehearsal', 'run'] as const
export type Step = (typeof STEPS)[number]

/** An import and its jobs, the oldest first. */
export interface SeenImport {
  readonly found: Import
  readonly jobs: readonly Job[]
}

export interface StepProps extends SeenImport {
  readonly draft: FormDraft<MappingDraft>
  /** The finished rehearsal of exactly this mapping; undefined: none. */
  readonly rehearsal: Job | undefined
  readonly query: Query<SeenImport>
  readonly goTo: (step: Step) => void
}

export function isGone({ expiresAt }: Import): boolean {
  return Date.parse(expiresAt) < Date.now()
}
