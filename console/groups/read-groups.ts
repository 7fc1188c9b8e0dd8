// Reads the groups of a sheet: their counts at once, their mean completeness afterwards, because it looks at every record.
import type { Criterion } from '../../src/core/search/rules/criterion.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { CallOptions } from '../api/call.ts'
import type { Endpoints } from '../api/types.ts'
import type { GroupBy, GroupHost, RowGroup } from '../grid/groups.ts'
import { labelOf } from '../state/labels.ts'

type FacetsBody = NonNullable<CallOptions<'POST /api/v1/search/facets'>['body']>
type Facet = Endpoints['POST /api/v1/search/facets']['reply']['facets'][number]
type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>
type Host = Omit<GroupHost<never>, 'readRows' | 'newPages'>

/** Most groups, as a facet has at most that many values; further values share one group. */
const MOST_GROUPS = 100
const EMPTY = '-'
const REST = '+'

/** No value of a user begins like the keys of the groups without one. */
function keyOf(value: string): string {
  return `=${value}`
}

export async function readGroups(
  host: Host,
  signal: AbortSignal,
): Promise<{ readonly groups: readonly RowGroup[]; readonly total: number }> {
  const { total, facet } = await readFacet(host, {}, signal)
  const counted = facet.values ?? []
  const labels = await readLabels(
    host,
    counted.map(({ value }) => value),
    signal,
  )
  const groups = counted.map(({ value, count }): RowGroup => {
    const criterion = criterionOf(host.by, { operator: 'equals', value })
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
      criterion: criterionOf(host.by, { operator: 'isEmpty' }),
    })
  return { groups, total }
}

/** The mean completeness of each group, by its key; a group without an entry has no known mean. */
export async function readMeans(host: Host, signal: AbortSignal): Promise<ReadonlyMap<string, number | null>> {
  const schema = host.console.model.schema(host.schemaId)
  if (schema?.attributes.every(({ requiredInStateIds }) => requiredInStateIds.length === 0) === true) return new Map()
  const scope = host.scope()
  const completeness = Object.keys(scope).length === 0 ? {} : { scope: { ...scope } }
  const { facet } = await readFacet(host, { completeness }, signal)
  const means = new Map((facet.values ?? []).map((one) => [keyOf(one.value), one.completeness ?? null]))
  if (facet.missing > 0) means.set(EMPTY, facet.missingCompleteness ?? null)
  return means
}

async function readFacet(
  { console, by, selection }: Host,
  asked: { readonly completeness?: { readonly scope?: Scope } },
  signal: AbortSignal,
): Promise<{ readonly total: number; readonly facet: Facet }> {
  const facet = { ...targetOf(by), ...asked }
  const body = { ...selection(), facets: [facet], limit: MOST_GROUPS } as unknown as FacetsBody
  const answer = await console.call('POST /api/v1/search/facets', { body, signal })
  return { total: answer.body.total, facet: answer.body.facets[0]! }
}

function targetOf(by: GroupBy) {
  if (by.kind === 'field') return { field: by.field }
  return { attributeAlias: by.attribute.alias, ...(Object.keys(by.scope).length === 0 ? {} : { scope: by.scope }) }
}

interface Test {
  readonly operator: 'equals' | 'isEmpty' | 'isNotEmpty' | 'notIn'
  readonly value?: string | readonly string[]
}

function criterionOf(by: GroupBy, test: Test): Criterion {
  return { ...targetOf(by), ...test }
}

/** The records whose value has no group, because there are too many values. */
async function readRest(
  { console, by, selection }: Host,
  counted: readonly { readonly value: string }[],
  signal: AbortSignal,
): Promise<RowGroup | undefined> {
  if (counted.length < MOST_GROUPS) return undefined
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
  if (by.kind === 'field' || by.attribute.dataType !== 'reference' || values.length === 0) return new Map()
  const criteria = [{ field: 'id', operator: 'in', value: values }]
  const body = { criteria, criteriaOperator: 'and', limit: values.length, total: false } as unknown as SearchBody
  const found = (await call('POST /api/v1/search', { body, signal })).body
  return new Map(found.map((record) => [record.id, labelOf(record, model.schema(record.schemaId), scope())]))
}

/** Options and states in their own order, everything else by name. */
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
  if (by.field !== 'lifecycleStateId') return []
  const workflow = model.workspace.value?.workflows.get(model.schema(schemaId)?.workflowId ?? '')
  return workflow?.states.map(({ id }) => id) ?? []
}
