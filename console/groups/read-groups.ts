// Reads the groups of a sheet: first their counts, then their mean completeness, which examines every record.
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import { stateToScore } from '../../src/core/records/rules/transition.ts'
import { type Scope, withinScope } from '../../src/core/scopes/scope.ts'
import type { CallOptions } from '../api/call.ts'
import type { Endpoints } from '../api/types.ts'
import type { GroupBy, RowGroup } from '../grid/groups.ts'
import { countMarks, readCategoryGroups } from './category-groups.ts'
import { EMPTY, FACET_VALUES, type Host, keyOf, MOST_GROUPS, type ReadGroups, REST } from './group-keys.ts'
import { labelOf } from '../state/labels.ts'

type FacetsBody = NonNullable<CallOptions<'POST /api/v1/search/facets'>['body']>
type Facet = Endpoints['POST /api/v1/search/facets']['reply']['facets'][number]
type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>
type GroupByValue = Exclude<GroupBy, { readonly kind: 'catalog' }>
type FacetTarget =
  | Extract<GroupBy, { readonly kind: 'attribute' }>
  | Pick<Extract<GroupBy, { readonly kind: 'field' }>, 'kind' | 'field'>

/** @param most the most groups; further values than those of one facet are read one request after another */
export async function readGroups(host: Host, most: number, signal: AbortSignal): Promise<ReadGroups> {
  const { by } = host
  if (by.kind === 'catalog') return readCategoryGroups(host, by.catalogId, signal)
  const { total, facet } = await readFacet(host, by, {}, signal)
  const counted = await readFurther(host, by, facet.values ?? [], most, signal)
  const labels = await readLabels(
    host,
    counted.map(({ value }) => value),
    signal,
  )
  const groups = counted.map(({ value, count }): RowGroup => {
    const criterion = criterionOf(by, { operator: 'equals', value })
    return { key: keyOf(value), value, isRest: false, label: labels.get(value), count, criterion }
  })
  groups.sort(comparing(host))
  if (host.isDown()) groups.reverse()
  const rest = await readRest(host, counted, signal)
  if (rest !== undefined) groups.push(rest)
  if (facet.missing > 0)
    groups.push({
      key: EMPTY,
      value: null,
      isRest: false,
      count: facet.missing,
      criterion: criterionOf(by, { operator: 'isEmpty' }),
    })
  return { groups, total, hasMore: rest !== undefined && counted.length < MOST_GROUPS }
}

type Counted = NonNullable<Facet['values']>

/** Reads values beyond those of one facet. */
async function readFurther(
  host: Host,
  by: GroupByValue,
  first: Counted,
  most: number,
  signal: AbortSignal,
): Promise<Counted> {
  const counted = [...first]
  for (let isFull = first.length === FACET_VALUES; isFull && counted.length < most;) {
    const known = counted.map(({ value }) => value)
    const values = await furtherValues(host, by, known, signal)
    const marks = values.map((value) => criterionOf(by, { operator: 'equals', value }))
    const counts = await countMarks(host, marks, signal)
    counted.push(...values.flatMap((value, at) => (counts[at] === 0 ? [] : [{ value, count: counts[at]! }])))
    isFull = values.length === FACET_VALUES && counted.length > known.length
  }
  return counted
}

/** Returns further values. Options are known; other values come from the records without a known value. */
async function furtherValues(
  host: Host,
  by: GroupByValue,
  known: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (by.kind === 'attribute' && by.attribute.options.length > 0) {
    const seen = new Set(known)
    const left = by.attribute.options.map(({ id }) => id).filter((id) => !seen.has(id))
    return left.slice(0, FACET_VALUES)
  }
  const selection = (): Selection => within(host.selection(), criterionOf(by, { operator: 'notIn', value: known }))
  const { facet } = await readFacet({ ...host, selection }, by, {}, signal)
  return (facet.values ?? []).map(({ value }) => value).filter((value) => !known.includes(value))
}

/**
 * Reads the mean completeness of each group, by its key; a group without an entry has no known mean. One facet returns
 * the means of its values. Categories, further values and the rest are read one by one.
 */
export async function readMeans(
  host: Host,
  groups: readonly RowGroup[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number | null>> {
  const schema = host.console.model.schema(host.schemaId)
  const workflow = host.console.model.workspace.value?.workflows.get(schema?.workflowId ?? '')
  const required = new Set(schema?.attributes.flatMap(({ requiredInStateIds }) => requiredInStateIds))
  // Records scored for another state would count as complete.
  const states = workflow?.states.map(({ id }) => id).filter((id) => required.has(stateToScore(workflow, id))) ?? []
  if (states.length === 0) return new Map()
  const criterion: Criterion = { field: 'lifecycleStateId', operator: 'in', value: states }
  const asked = { ...host, selection: () => within(host.selection(), criterion) }
  const means = asked.by.kind === 'catalog' ? new Map() : await readMeansOfValues(asked, asked.by, signal)
  const others = groups.filter(({ key }) => !means.has(key)).slice(0, FACET_VALUES)
  for (const { key, criterion } of others) means.set(key, await readMean(asked, criterion, signal))
  return means
}

function within(selection: Selection, criterion: Criterion): Selection {
  return { ...selection, criteria: [...selection.criteria, criterion] }
}

async function readMeansOfValues(
  host: Host,
  by: GroupByValue,
  signal: AbortSignal,
): Promise<Map<string, number | null>> {
  const { facet } = await readFacet(host, by, scored(host), signal)
  const means = new Map((facet.values ?? []).map((one) => [keyOf(one.value), one.completeness ?? null]))
  if (facet.missing > 0) means.set(EMPTY, facet.missingCompleteness ?? null)
  return means
}

/** Reads the mean over the states, of which a workflow has few. */
async function readMean(host: Host, criterion: Criterion, signal: AbortSignal): Promise<number | null> {
  const selection = (): Selection => within(host.selection(), criterion)
  const by = { kind: 'field', field: 'lifecycleStateId' } as const
  const { facet } = await readFacet({ ...host, selection }, by, scored(host), signal)
  const states = (facet.values ?? []).filter(({ completeness }) => typeof completeness === 'number')
  const count = states.reduce((sum, one) => sum + one.count, 0)
  return count === 0 ? null : states.reduce((sum, one) => sum + one.count * one.completeness!, 0) / count
}

function scored(host: Host): { readonly completeness: { readonly scope?: Scope } } {
  return { completeness: withinScope(host.scope()) }
}

async function readFacet(
  { console, selection }: Pick<Host, 'console' | 'selection'>,
  by: FacetTarget,
  asked: { readonly completeness?: { readonly scope?: Scope } },
  signal: AbortSignal,
): Promise<{ readonly total: number; readonly facet: Facet }> {
  const facet = { ...targetOf(by), ...asked }
  const body = { ...selection(), facets: [facet], limit: FACET_VALUES } as unknown as FacetsBody
  const answer = await console.call('POST /api/v1/search/facets', { body, signal })
  return { total: answer.body.total, facet: answer.body.facets[0]! }
}

function targetOf(by: FacetTarget) {
  if (by.kind === 'field') return { field: by.field }
  return { attributeAlias: by.attribute.alias, ...withinScope(by.scope) }
}

interface Test {
  readonly operator: 'equals' | 'isEmpty' | 'isNotEmpty' | 'notIn'
  readonly value?: string | readonly string[]
}

function criterionOf(by: GroupByValue, test: Test): Criterion {
  return { ...targetOf(by), ...test }
}

/** Reads the group of records whose value has no group, because too many values exist. */
async function readRest(
  { console, by, selection }: Host,
  counted: readonly { readonly value: string }[],
  signal: AbortSignal,
): Promise<RowGroup | undefined> {
  if (by.kind === 'catalog' || counted.length < FACET_VALUES) return undefined
  const others = criterionOf(by, { operator: 'notIn', value: counted.map(({ value }) => value) })
  const filled = by.kind === 'field' ? [] : [criterionOf(by, { operator: 'isNotEmpty' })]
  const criterion: Criterion = { criteriaOperator: 'and', criteria: [others, ...filled] }
  const { criteria, ...rest } = selection()
  const body = { ...rest, criteria: [...criteria, criterion], select: [], limit: 1 } as unknown as SearchBody
  const { total = 0 } = await console.call('POST /api/v1/search', { body, signal })
  return total === 0 ? undefined : { key: REST, value: null, isRest: true, count: total, criterion }
}

/** The names of people and of referenced records. */
async function readLabels(
  { console, by, scope }: Host,
  values: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { call, model } = console
  if (by.kind === 'field' && by.field !== 'lifecycleStateId') {
    if (!model.may('audit.read')) return new Map()
    const { body } = await call('GET /api/v1/people', { signal })
    return new Map(body.map(({ id, name }) => [id, name]))
  }
  if (by.kind !== 'attribute' || by.attribute.dataType !== 'reference' || values.length === 0) return new Map()
  const criteria = [{ field: 'id', operator: 'in', value: values }]
  const body = { criteria, criteriaOperator: 'and', limit: values.length, total: false } as unknown as SearchBody
  const found = (await call('POST /api/v1/search', { body, signal })).body
  return new Map(found.map((record) => [record.id, labelOf(record, model.schema(record.schemaId), scope())]))
}

/** Returns a comparison: options and states in their own order, other values by name. */
function comparing({ console, by, schemaId }: Host): (one: RowGroup, other: RowGroup) => number {
  const order = orderOf(console.model, by, schemaId)
  const { compare } = new Intl.Collator(console.preferences.language.peek(), { numeric: true })
  const placeOf = ({ value }: RowGroup): number => {
    const at = order.indexOf(value!)
    return at < 0 ? order.length : at
  }
  return (one, other) => placeOf(one) - placeOf(other) || compare(one.label ?? one.value!, other.label ?? other.value!)
}

function orderOf(model: Host['console']['model'], by: GroupBy, schemaId: string): readonly string[] {
  if (by.kind === 'attribute')
    return by.attribute.dataType === 'boolean' ? ['false', 'true'] : by.attribute.options.map(({ id }) => id)
  if (by.kind === 'catalog' || by.field !== 'lifecycleStateId') return []
  const workflow = model.workspace.value?.workflows.get(model.schema(schemaId)?.workflowId ?? '')
  return workflow?.states.map(({ id }) => id) ?? []
}
