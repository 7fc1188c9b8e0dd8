// The use cases of jobs that are not saved yet: can their destination be written, and what would they export. Contract 3 §5, 3 §9.5.
import type * as v from 'valibot'
import { assertPermission } from '../../core/accounts/rules/permissions.ts'
import { previewFormat } from '../rules/export-format.ts'
import type { ExportJobInput } from '../rules/export-job.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import type { CheckResult, ExportEngine } from './export-engine.ts'
import type { ExportJobService } from './export-jobs.ts'

type Input = v.InferOutput<typeof ExportJobInput>

export function createExportDraftService({
  engine,
  jobs,
}: {
  engine: ExportEngine
  jobs: Pick<ExportJobService, 'draft'>
}) {
  return {
    /** Whether the destination can be written; nothing is left there. @throws what `draft` throws */
    check: async (caller: Caller, input: Input, signal: AbortSignal): Promise<CheckResult> =>
      engine.check(await jobs.draft(caller, input), signal, true),

    /**
     * The first records as the job would render them, of what the caller may read, whatever its destination's settings are by now.
     * @throws what `draft` throws
     */
    async preview(caller: Caller, input: Input & { readonly limit: number }, signal: AbortSignal) {
      assertPermission(caller.role, 'records.read')
      const job = await jobs.draft(caller, input, { isForFile: true })
      return { format: previewFormat(job.format), text: await engine.preview(job, caller.role, input.limit, signal) }
    },
  }
}

export type ExportDraftService = ReturnType<typeof createExportDraftService>
