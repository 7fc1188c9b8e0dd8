// Whether the selection of a job finds a record, as the search says it. Contract 3 §5.
import { PimletError } from '../../kernel/errors.ts'
import type { ExportJob } from '../rules/export-job.ts'
import { isBySavedQuery, questionOfJob } from '../rules/job-selection.ts'
import type { Role } from '../../core/accounts/rules/permissions.ts'
import { assertMayFind } from '../../core/search/rules/searched-schemas.ts'
import type { Store } from '../../store/port.ts'

/** The selection alone, without the other rules of the job. */
const NO_RULES = { schemaId: null, catalogId: null, includeVariants: true, includeLifecycleStateIds: null }

/** Where it cannot be asked, what is wrong. @throws UNAVAILABLE */
export async function isSelected(
  { read }: Store,
  job: ExportJob,
  recordId: string,
  { role, signal }: { readonly role: Role; readonly signal: AbortSignal },
): Promise<boolean | string> {
  const { selection } = job
  if (selection === null) return true
  const search = isBySavedQuery(selection) ? await read.savedQueries.get(selection.savedQueryId) : selection
  if (search === undefined) return 'its saved query does not exist any more'
  const { criteria, text, schemaId } = questionOfJob(NO_RULES, search, [])
  try {
    assertMayFind(await read.model(), role, { ...criteria, schemaId: schemaId ?? job.schemaId })
  } catch (error) {
    if (error instanceof PimletError) return error.message
    throw error
  }
  const isIt = { field: 'id', operator: 'equals', value: recordId } as const
  const find = { kind: 'criteria', criteria: { criteria: [isIt, criteria], criteriaOperator: 'and' }, text } as const
  const { batches } = await read.search(
    { find, role, schemaId, offset: 0, limit: null, isCounted: false, withoutValues: true },
    signal,
  )
  let isFound = false
  for await (const batch of batches) isFound ||= batch.length > 0
  return isFound
}
