// The mean completeness of groups: which records it counts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readMeans } from '../../../console/groups/read-groups.ts'

type Host = Parameters<typeof readMeans>[0]

/** A workflow draft → review → sold, whose step to review asks for completeness. */
function hostOf(requiredInStateIds: readonly string[]) {
  const asked: { readonly criteria: readonly unknown[] }[] = []
  const states = ['draft', 'review', 'sold'].map((id) => ({ id }))
  const transitions = [
    { fromStateId: 'draft', toStateId: 'review', requiresCompleteness: true },
    { fromStateId: 'review', toStateId: 'sold', requiresCompleteness: false },
  ]
  const model = {
    schema: () => ({ workflowId: 'flow', attributes: [{ requiredInStateIds }, { requiredInStateIds: [] }] }),
    workspace: { value: { workflows: new Map([['flow', { states, transitions }]]) } },
  }
  const call = async (_: string, { body }: { readonly body: (typeof asked)[number] }) => {
    asked.push(body)
    return { body: { total: 1, facets: [{ values: [{ value: 'draft', count: 1, completeness: 50 }], missing: 0 }] } }
  }
  const host = {
    schemaId: 'tea',
    by: { kind: 'field', field: 'lifecycleStateId' },
    console: { model, call },
    selection: () => ({ criteria: ['given'] }),
    scope: () => ({}),
  }
  return { host: host as unknown as Host, asked }
}

const never = new AbortController().signal

describe('The mean completeness of groups', () => {
  it('counts only records whose scored state requires something', async () => {
    const { host, asked } = hostOf(['review'])
    assert.deepEqual([...(await readMeans(host, [], never)).values()], [50])
    const scored = { field: 'lifecycleStateId', operator: 'in', value: ['draft', 'review'] }
    assert.deepEqual(asked[0]!.criteria, ['given', scored])
  })

  it('is not asked for where no state requires anything', async () => {
    const { host, asked } = hostOf([])
    assert.equal((await readMeans(host, [], never)).size, 0)
    assert.equal(asked.length, 0)
  })
})
