// The use cases of unsaved jobs: check the destination, and preview the export. Contract 3 §5, 3 §9.5.
import type * as v from 'valibot'
import { assertPermission } from '../../core/accounts/rules/permissions.ts'
import { previewFormat } from '../rules/export-format.ts'
import type { ExportJobInput } from '../rules/export-job.ts'
import type { Caller } from '../../core/accounts/caller.ts'
import type { CheckResult, ExportEngine } from './export-engine.ts'
import type { ExportJobService } from './export-jobs.ts'

type Input = v.InferOutput<typeof ExportJobInput>

export function createExportDraftService(options: { engine: ExportEngine; jobs: Pick<ExportJobService, 'draft'> }) {
  const { engine, jobs } = options
  return {
    /** Whether the destination can be written; no file is left there. @throws errors of `draft` */
    check: async (caller: Caller, input: Input, signal: AbortSignal): Promise<CheckResult> =>
      engine.check(await jobs.draft(caller, input), signal, true),

    /**
     * The first records in the form of the job, limited to data that the caller may read. The settings of the destination
     * may be incomplete.
     * @throws errors of `draft`
     */
    async preview(caller: Caller, input: Input & { readonly limit: number }, signal: AbortSignal) {
      assertPermission(caller.role, 'records.read')
      const job = await jobs.draft(caller, input, { isForFile: true })
      return { format: previewFormat(job.format), text: await engine.preview(job, caller.role, input.limit, signal) }
    },
  }
}
