import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from '../../../../src/kernel/input/parse.ts'
import {
  DEFAULT_WORKFLOW,
  defineWorkflow,
  removedStates,
  WorkflowInput,
} from '../../../../src/core/model/rules/workflow.ts'

const transition = { id: 't', fromStateId: 'a', toStateId: 'b', allowedRoleIds: [] }
const input = {
  name: 'W',
  initialStateId: 'a',
  states: [{ id: 'a' }, { id: 'b', name: 'B' }],
  transitions: [transition],
}
const define = (changes: Record<string, unknown> = {}) =>
  defineWorkflow('wf', parse(WorkflowInput, { ...input, ...changes }))

test('a workflow takes its names from IDs where it has none', () => {
  assert.deepEqual(define(), {
    id: 'wf',
    name: 'W',
    initialStateId: 'a',
    states: [
      { id: 'a', name: 'a' },
      { id: 'b', name: 'B' },
    ],
    transitions: [{ ...transition, name: 't', requiresCompleteness: false }],
  })
})

test('the parts of a workflow must fit together', () => {
  for (const [changes, message] of [
    [{ initialStateId: 'c' }, "initialStateId names the unknown state 'c'"],
    [{ states: [] }, "initialStateId names the unknown state 'a'"],
    [{ states: [{ id: 'a' }, { id: 'a' }] }, "states: the ID 'a' occurs twice"],
    [{ transitions: [transition, transition] }, "transitions: the ID 't' occurs twice"],
    [
      { transitions: [{ ...transition, fromStateId: 'constructor' }] },
      "transitions[0].fromStateId names the unknown state 'constructor'",
    ],
    [{ transitions: [{ ...transition, toStateId: 'c' }] }, "transitions[0].toStateId names the unknown state 'c'"],
  ] as const)
    assert.throws(() => define(changes), { code: 'VALIDATION_ERROR', message })
})

test('the states that go are those whose IDs are no longer there', () => {
  const after = define({ states: [{ id: 'a', name: 'Other' }, { id: 'c' }], transitions: [] })
  assert.deepEqual(removedStates(define(), after), ['b'])
  assert.deepEqual(removedStates(define(), define()), [])
})

test('the workflow of the first start is sound and is what the decisions describe', () => {
  assert.deepEqual(defineWorkflow('wf-default', parse(WorkflowInput, DEFAULT_WORKFLOW)), DEFAULT_WORKFLOW)
  const summary = DEFAULT_WORKFLOW.transitions.map((move) =>
    [move.id, move.fromStateId, move.toStateId, move.allowedRoleIds.join('+'), move.requiresCompleteness].join(' '),
  )
  assert.deepEqual(summary, [
    'tr-submit state-draft state-review role-admin+role-editor false',
    'tr-publish state-review state-published role-admin+role-editor true',
    'tr-send-back state-review state-draft role-admin false',
    'tr-unpublish state-published state-draft role-admin+role-editor false',
  ])
  assert.equal(DEFAULT_WORKFLOW.initialStateId, 'state-draft')
})
