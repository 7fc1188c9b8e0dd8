// Records against the model and against all data derived from them: counts, unique values, references, the audit trail and the
// search index. Contract 2 §4.
import { type ModelChange, notesOfBoth } from '../../../core/model/rules/model-change.ts'
import type { Model } from '../../../core/model/rules/model.ts'
import { recordReferences, type UniqueKey, uniqueKeys } from '../../../core/values/values.ts'
import type { NotedKey, ReadRecord, WorkspaceInspection, IndexInspection } from '../../../store/maintenance-port.ts'
import { type CheckResult, Findings, result } from '../check.ts'
import type { ShowProgress } from '../progress-report.ts'
import { type ChangingSchemas, type Fitting, ReferenceComparison, schemasOfChanges } from './compare-references.ts'
import { TrailReplay } from '../../../core/records/rules/audit-trail.ts'
import { storageFaultOf } from '../../storages.ts'

export async function checkRecords(
  workspace: WorkspaceInspection,
  total: number,
  show: ShowProgress,
): Promise<CheckResult[]> {
  const model = await workspace.model()
  const [faults, derived, dangling] = [new Findings(), new Findings(), new Findings()]
  const counts = new Map<string, number>()
  const changes = await workspace.modelChanges()
  const mayHave = aliasesOfChanges(changes)
  const changing = schemasOfChanges(changes)
  const references = new ReferenceComparison(workspace, changing)
  const progress = show({ label: 'records', total, unit: 'records' })
  for await (const records of workspace.records()) {
    for (const record of records) {
      const fault = findFault(record, model, mayHave(record.schemaId))
      if (fault !== undefined) faults.add(`${record.id}: ${fault}`)
      countRecord(counts, record)
    }
    const fitting = records.flatMap(({ id, schemaId, values }) => {
      const schema = model.schemas.get(schemaId)
      return schema === undefined || values === undefined ? [] : [{ id, schema, values }]
    })
    await compareKeys(workspace, fitting, changing, derived)
    await references.compare(fitting, fitting.length === records.length, derived)
    await findDangling(workspace, fitting, dangling)
    progress.advance(records.length)
  }
  progress.stop()
  await compareCounts(workspace, counts, derived)
  await references.compareTotal(derived)
  for (const fault of await workspace.findCounterFaults()) derived.add(fault)
  return [
    faults.asResult('records', `${total} records fit the model`, `${faults.count} records do not fit the model`),
    derived.asResult(
      'derived',
      'Counts, unique values and noted references are right',
      `${derived.count} counts, unique values or noted references are wrong`,
    ),
    dangling.asResult(
      'references',
      'All records that are referred to exist',
      `${dangling.count} values refer to records that do not exist`,
      'warning',
    ),
  ]
}

function countRecord(counts: Map<string, number>, { schemaId, lifecycleStateId, parentId }: ReadRecord): void {
  const place = placeOf(schemaId, lifecycleStateId, parentId === null ? 0 : 1)
  counts.set(place, (counts.get(place) ?? 0) + 1)
}

async function compareKeys(
  workspace: WorkspaceInspection,
  records: readonly Fitting[],
  changing: ChangingSchemas,
  derived: Findings,
): Promise<void> {
  const noted = await workspace.uniqueKeysOf(records.map(({ id }) => id))
  const asNoted = (schemaId: string, keys: readonly UniqueKey[]): NotedKey[] =>
    keys.map((key) => ({ schemaId, ...key, key: workspace.notedKey(key.key) }))
  for (const { id, schema, values } of records) {
    const keys = asNoted(schema.id, uniqueKeys(values, schema))
    const found = noted.get(id) ?? []
    const both = changing.get(schema.id)
    const more = both === undefined ? [] : notesOfBoth(uniqueKeys, values, ...both)
    if (!isSame(keys, found) && !isBetween(keys, found, asNoted(schema.id, more)))
      derived.add(`${id}: its unique values are not those that are noted`)
  }
}

async function findDangling(
  workspace: WorkspaceInspection,
  records: readonly Fitting[],
  dangling: Findings,
): Promise<void> {
  const references = records.flatMap(({ id, schema, values }) =>
    recordReferences(values, schema).map(({ alias, recordId }) => ({ id, alias, recordId })),
  )
  const existing = await workspace.existing([...new Set(references.map(({ recordId }) => recordId))])
  for (const { id, alias, recordId } of references)
    if (!existing.has(recordId)) dangling.add(`${id}: ${alias} refers to ${recordId}, which does not exist`)
}

/** The order does not matter. */
function isSame(keys: readonly NotedKey[], noted: readonly NotedKey[]): boolean {
  const texts = (some: readonly NotedKey[]): string => JSON.stringify(some.map(textOf).sort())
  return keys.length === noted.length && (keys.length === 0 || texts(keys) === texts(noted))
}

/** Whether `noted` are all `keys`, and besides them only some of `more`. */
function isBetween(keys: readonly NotedKey[], noted: readonly NotedKey[], more: readonly NotedKey[]): boolean {
  const [found, allowed] = [new Set(noted.map(textOf)), new Set([...keys, ...more].map(textOf))]
  return keys.every((key) => found.has(textOf(key))) && noted.every((key) => allowed.has(textOf(key)))
}

function textOf({ schemaId, alias, scope, key }: NotedKey): string {
  return [schemaId, alias, scope, key].join('\n')
}

/** Names of values that the schema lacks: attributes that are being renamed. */
function aliasesOfChanges(changes: readonly ModelChange[]): (schemaId: string) => ReadonlySet<string> {
  const aliases = new Map(
    changes.map(({ after }) => [
      after.id,
      new Set('attributes' in after ? after.attributes.map(({ alias }) => alias) : []),
    ]),
  )
  return (schemaId) => aliases.get(schemaId) ?? new Set()
}

function findFault(
  { schemaId, lifecycleStateId, values }: ReadRecord,
  model: Model,
  others: ReadonlySet<string>,
): string | undefined {
  const schema = model.schemas.get(schemaId)
  if (schema === undefined) return `its schema ${schemaId} does not exist`
  const workflow = model.workflows.get(schema.workflowId)
  if (workflow?.states.some(({ id }) => id === lifecycleStateId) !== true)
    return `its state ${lifecycleStateId} is none of its workflow`
  if (values === undefined) return 'its values are no JSON'
  const alias = Object.keys(values).find((name) => schema.attribute(name) === undefined && !others.has(name))
  return alias === undefined ? undefined : `its schema has no attribute ${alias}`
}

function placeOf(schemaId: string, stateId: string, isVariant: number): string {
  return `${schemaId} ${stateId}${isVariant === 1 ? ' (variants)' : ''}`
}

async function compareCounts(
  workspace: WorkspaceInspection,
  counted: ReadonlyMap<string, number>,
  derived: Findings,
): Promise<void> {
  const counts = await workspace.recordCounts()
  const kept = new Map(
    counts.map(([schemaId, stateId, isVariant, records]) => [placeOf(schemaId, stateId, isVariant), records]),
  )
  for (const place of new Set([...counted.keys(), ...kept.keys()])) {
    const [is, says] = [counted.get(place) ?? 0, kept.get(place) ?? 0]
    if (is !== says) derived.add(`${place}: ${says} records are counted, ${is} are there`)
  }
}

/** Records that are named at most. */
const NAMED = 10

export async function checkAudit(workspace: WorkspaceInspection, show: ShowProgress): Promise<CheckResult> {
  const findings = new Findings()
  const { entries, ofRecords, oldest, newest } = await workspace.auditRange()
  const gaps = newest - oldest + 1 - entries
  if (gaps > 0) findings.add(`${gaps} entries between ${oldest} and ${newest} are missing`)
  const progress = show({ label: 'audit', total: ofRecords, unit: 'entries' })
  let trails = 0
  for await (const { recordId, entries: trail, record } of workspace.trails()) {
    const replay = new TrailReplay()
    let fault: string | undefined
    for await (const entry of trail) {
      const found = replay.take(entry)
      fault ??= found
      progress.advance(1)
    }
    fault ??= replay.findFaultAtEnd(record)
    if (fault !== undefined) findings.add(`${recordId}: ${fault}`)
    trails += 1
  }
  progress.stop()
  for (const id of await workspace.recordsWithoutEntry(oldest, NAMED)) findings.add(`${id}: its last entry is missing`)
  return findings.asResult(
    'audit',
    `${ofRecords} entries lead to the values of ${trails} records`,
    `${findings.count} faults in the trail of ${ofRecords} entries`,
  )
}

export async function checkIndex(
  workspace: WorkspaceInspection,
  total: number,
  show: ShowProgress,
): Promise<CheckResult> {
  let index: IndexInspection
  try {
    index = await workspace.inspectIndex()
  } catch (error) {
    if (storageFaultOf(error) !== 'incomparable') throw error
    const why = (error as Error).message
    return result('index', 'warning', `The search index is not complete: ${why}; a server makes it by itself`)
  }
  try {
    const findings = new Findings()
    for (const damage of await index.findDamage()) findings.add(damage)
    if (findings.count === 0) await compare(index, total, show, findings)
    const { pending } = index
    const waiting = pending === 0 ? '' : `; ${pending} records wait to be indexed`
    return findings.asResult(
      'index',
      `The search index agrees with the records${waiting}`,
      `${findings.count} faults in the search index: --repair-index rebuilds it`,
    )
  } finally {
    await index.close()
  }
}

async function compare(index: IndexInspection, total: number, show: ShowProgress, findings: Findings): Promise<void> {
  const progress = show({ label: 'index', total, unit: 'records' })
  for await (const fault of index.compare()) {
    if (fault !== undefined) findings.add(fault)
    progress.advance(1)
  }
  progress.stop()
}
