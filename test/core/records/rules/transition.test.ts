import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Gate } from '../../../../src/core/records/rules/completeness.ts'
import { decideTransition, listTransitions, stateToScore } from '../../../../src/core/records/rules/transition.ts'
import { DEFAULT_WORKFLOW } from '../../../../src/core/model/rules/workflow.ts'

const complete = (): Gate => ({ lacking: 0, missing: [] })
const incomplete = (): Gate => ({ lacking: 1, missing: [{ attributeAlias: 'name', scope: {} }] })
const never = (): Gate => {
  throw new Error('Completeness was asked for without need')
}

function refused(message: RegExp, ...[state, id, role, isComplete]: [string, string, string, () => Gate]): void {
  assert.throws(() => decideTransition(DEFAULT_WORKFLOW, state, id, role, isComplete), {
    code: 'TRANSITION_ERROR',
    message,
  })
}

test('a transition that leaves the state, is for the role and needs nothing more is taken', () => {
  const taken = decideTransition(DEFAULT_WORKFLOW, 'state-draft', 'tr-submit', 'role-editor', never)
  assert.equal(taken.toStateId, 'state-review')
})

test('a record is scored for the state that it has to be complete for next, else for its own', () => {
  assert.equal(stateToScore(DEFAULT_WORKFLOW, 'state-review'), 'state-published')
  assert.equal(stateToScore(DEFAULT_WORKFLOW, 'state-draft'), 'state-draft')
})

test('completeness is asked for the target state, and only where the transition requires it', () => {
  const asked: string[] = []
  const remember = (stateId: string): Gate => {
    asked.push(stateId)
    return complete()
  }
  decideTransition(DEFAULT_WORKFLOW, 'state-review', 'tr-publish', 'role-editor', remember)
  assert.deepEqual(asked, ['state-published'])
})

test('a transition that the workflow does not have, leaves another state, is for other roles or needs completeness is refused', () => {
  refused(/has no transition 'tr-gone'/, 'state-draft', 'tr-gone', 'role-admin', complete)
  refused(/has no transition 'constructor'/, 'state-draft', 'constructor', 'role-admin', complete)
  refused(
    /^The transition from 'Draft' to 'Published' is not allowed: 'tr-publish' leaves 'Review'$/,
    'state-draft',
    'tr-publish',
    'role-admin',
    complete,
  )
  refused(/not allowed for your role$/, 'state-review', 'tr-send-back', 'role-editor', complete)
  refused(
    /not complete for the target state: 'name' has no value$/,
    'state-review',
    'tr-publish',
    'role-admin',
    incomplete,
  )
})

test('every transition that leaves the state is listed, with all that stands in the way', () => {
  const listed = listTransitions(DEFAULT_WORKFLOW, 'state-review', 'role-viewer', incomplete)
  assert.deepEqual(
    listed.map(({ id, allowed, reasons }) => ({ id, allowed, reasons })),
    [
      { id: 'tr-publish', allowed: false, reasons: ['role', 'completeness'] },
      { id: 'tr-send-back', allowed: false, reasons: ['role'] },
    ],
  )
  const forAdmin = listTransitions(DEFAULT_WORKFLOW, 'state-review', 'role-admin', complete)
  assert.deepEqual(
    forAdmin.map(({ allowed, reasons }) => [allowed, reasons]),
    [
      [true, []],
      [true, []],
    ],
  )
  assert.deepEqual(listTransitions(DEFAULT_WORKFLOW, 'state-gone', 'role-admin', complete), [])
})

test('a refusal names up to five missing fields with their scopes, and counts the others', () => {
  const missing = ['de', 'en', 'fr', 'it', 'es', 'pl'].map((language) => ({
    attributeAlias: 'name',
    scope: { language, market: 'eu' },
  }))
  const messageOf = (gate: Gate): string => {
    try {
      decideTransition(DEFAULT_WORKFLOW, 'state-review', 'tr-publish', 'role-admin', () => gate)
    } catch (error) {
      return (error as Error).message.replace(/^.*target state: /, '')
    }
    return ''
  }
  const named = "'name' (language=de;market=eu), 'name' (language=en;market=eu)"
  assert.equal(messageOf({ lacking: 2, missing: missing.slice(0, 2) }), `${named} have no value`)
  assert.match(messageOf({ lacking: 9, missing }), /\(language=es;market=eu\) and 4 more have no value$/)
  assert.equal(messageOf({ lacking: 5, missing: missing.slice(0, 2) }), `${named} and 3 more have no value`)
  assert.equal(messageOf({ lacking: 3, missing: [] }), '3 required fields have no value')
  assert.equal(messageOf({ lacking: 1, missing: [] }), '1 required field has no value')
})

test('what is missing is listed with the transitions that require completeness, and with no other', () => {
  const listed = listTransitions(DEFAULT_WORKFLOW, 'state-review', 'role-admin', incomplete)
  assert.deepEqual(
    listed.map(({ id, missing }) => [id, missing]),
    [
      ['tr-publish', [{ attributeAlias: 'name', scope: {} }]],
      ['tr-send-back', []],
    ],
  )
})

test('what is listed as allowed can be taken, and nothing else', () => {
  const roleIds = ['role-admin', 'role-editor', 'role-viewer']
  const cases = DEFAULT_WORKFLOW.states.flatMap(({ id: stateId }) =>
    roleIds.flatMap((roleId) => [complete, incomplete].map((isComplete) => ({ stateId, roleId, isComplete }))),
  )
  for (const { stateId, roleId, isComplete } of cases) {
    const allowed = listTransitions(DEFAULT_WORKFLOW, stateId, roleId, isComplete)
      .filter((transition) => transition.allowed)
      .map(({ id }) => id)
    for (const { id } of DEFAULT_WORKFLOW.transitions) {
      const take = (): unknown => decideTransition(DEFAULT_WORKFLOW, stateId, id, roleId, isComplete)
      if (allowed.includes(id)) assert.doesNotThrow(take)
      else assert.throws(take)
    }
  }
})
