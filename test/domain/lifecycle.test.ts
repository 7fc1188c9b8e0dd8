import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideTransition, listTransitions } from '../../src/domain/lifecycle.ts'
import { DEFAULT_WORKFLOW } from '../../src/domain/workflows.ts'

const complete = (): boolean => true
const incomplete = (): boolean => false
const never = (): boolean => {
  throw new Error('Completeness was asked for without need')
}

function refused(message: RegExp, ...[state, id, role, isComplete]: [string, string, string, () => boolean]): void {
  assert.throws(() => decideTransition(DEFAULT_WORKFLOW, state, id, role, isComplete), {
    code: 'TRANSITION_ERROR',
    message,
  })
}

test('a transition that leaves the state, is for the role and needs nothing more is taken', () => {
  const taken = decideTransition(DEFAULT_WORKFLOW, 'state-draft', 'tr-submit', 'role-editor', never)
  assert.equal(taken.toStateId, 'state-review')
})

test('completeness is asked for the target state, and only where the transition requires it', () => {
  const asked: string[] = []
  const remember = (stateId: string): boolean => asked.push(stateId) > 0
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
  refused(/not complete for the target state$/, 'state-review', 'tr-publish', 'role-admin', incomplete)
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
