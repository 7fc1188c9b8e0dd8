// The proposed schema of a file: its corrections, and its use. Contract 5 §1.
import { useState } from 'preact/hooks'
import type { Decimal } from '../../src/core/csv/source-dialect.ts'
import { mappingOf, type Proposal } from '../../src/imports/rules/proposal/proposal.ts'
import { useActing } from '../kit/acting.ts'
import { useConsole, useQuery } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { newKey } from '../state/new-key.ts'
import { NO_CORRECTIONS, type ProposalDraft } from './proposal-draft.ts'
import type { StepProps } from './steps.ts'

export function useProposal({ found }: StepProps) {
  const { call } = useConsole()
  const [decimal, setDecimal] = useState<Decimal | null>(null)
  const draft = useFormDraft<ProposalDraft>(`proposal ${found.id}`, NO_CORRECTIONS)
  const query = useQuery<Proposal>(`proposal ${found.id} ${decimal}`, async (signal) => {
    const asked = { decimal: decimal ?? undefined }
    return (await call('GET /api/v1/imports/:id/proposal', { params: { id: found.id }, query: asked, signal })).body
  })
  return { query, draft, setDecimal }
}

/** Saves the mapping with its model, and begins a job. */
export function useBeginning({ found, query, goTo }: StepProps, drop: () => void) {
  const { call, jobs, offline } = useConsole()
  const { isBusy, act } = useActing()
  const begin = (proposal: Proposal, how: 'run' | 'dry-run') =>
    act(async () => {
      const params = { id: found.id }
      await call('PUT /api/v1/imports/:id/mapping', { params, body: mappingOf(proposal) })
      const options = { params, query: { decimal: proposal.decimal ?? undefined }, idempotencyKey: newKey() }
      const { body: job } = await offline.write(() =>
        how === 'run'
          ? call('POST /api/v1/imports/:id/run', options)
          : call('POST /api/v1/imports/:id/dry-run', options),
      )
      if (how === 'run') drop()
      jobs.watch(job)
      await query.refresh()
      goTo(how === 'run' ? 'run' : 'rehearsal')
    })
  return { isBusy, begin }
}
