// The pure parts of the model's screens: effects as sentences, the draft of a schema, a workflow as a matrix.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  countChanges,
  idOf,
  moved,
  newAttribute,
  rulesOf,
  type SchemaDraft,
  withoutAttribute,
} from '../../../console/model/definition.ts'
import {
  droppedValues,
  dropsValues,
  isRefused,
  type ModelEffects,
  sentencesOf,
} from '../../../console/model/effects.ts'
import {
  matrixOf,
  newTransition,
  type StoredWorkflow,
  withoutState,
  withTransition,
} from '../../../console/model/workflow-matrix.ts'

describe('M1 the effect of a change', () => {
  const effects: ModelEffects = {
    effects: [
      { schemaId: 's', kind: 'nowRequired', attributeAlias: 'name', records: 3, values: 4, examples: [] },
      { schemaId: 's', kind: 'valuesRemoved', attributeAlias: 'old', records: 1204, values: 2380, examples: ['a'] },
    ],
    completeness: [
      { schemaId: 's', stateId: 'review', before: 40, after: 3 },
      { schemaId: 's', stateId: 'published', before: 1, after: 2 },
      { schemaId: 's', stateId: 'draft', before: 5, after: 5 },
    ],
  }

  it('is told as sentences, what is lost first, and only where something changes', () => {
    assert.deepEqual(
      sentencesOf(effects).map(({ word, count, values }) => [word, count, values]),
      [
        ['model.effect.removed', 1204, 2380],
        ['model.effect.required', 3, 4],
        ['model.effect.fall', 37, 0],
        ['model.effect.rise', 1, 0],
      ],
    )
    assert.deepEqual(sentencesOf({ effects: [], completeness: [] }), [])
  })

  it('of a hidden attribute says once that its values are hidden, and removes nothing by itself', () => {
    const hidden = (kind: 'valuesUnfit' | 'uniqueViolated', attributeAlias: string) =>
      ({ schemaId: 's', kind, attributeAlias, hidden: true }) as const
    const unseen: ModelEffects = {
      effects: [
        hidden('valuesUnfit', 'lifecycleState'),
        hidden('uniqueViolated', 'lifecycleState'),
        hidden('valuesUnfit', 'b'),
      ],
      completeness: [],
    }
    assert.deepEqual(
      sentencesOf(unseen).map(({ word, about }) => [word, about]),
      ['lifecycleState', 'b'].map((alias) => ['model.effect.unseen', { alias }]),
    )
    assert.deepEqual([dropsValues(unseen), droppedValues(unseen), isRefused(unseen)], [false, 0, false])
  })

  it('says how many values go, and that the server will refuse what cannot be', () => {
    assert.deepEqual([dropsValues(effects), droppedValues(effects), isRefused(effects)], [true, 2380, false])
    const inState: ModelEffects = {
      effects: [
        { schemaId: 's', kind: 'valuesUnfit', attributeAlias: 'lifecycleState', records: 2, values: 2, examples: [] },
      ],
      completeness: [],
    }
    assert.deepEqual([dropsValues(inState), isRefused(inState)], [false, true])
    assert.equal(sentencesOf(inState)[0]!.word, 'model.effect.state')
  })
})

describe('A schema while it is changed', () => {
  const stored: SchemaDraft = {
    id: 'tea',
    name: 'Tea',
    workflowId: 'wf',
    attributes: [newAttribute('sku', 'text'), newAttribute('name', 'text')],
    combinations: null,
    groups: [{ id: 'g', name: 'G', attributeAliases: ['sku', 'name'] }],
    labelAttribute: 'name',
  }

  it('counts what is other than stored', () => {
    assert.equal(countChanges(stored, stored), 0)
    assert.equal(countChanges(stored, { ...stored, name: 'Teas' }), 1)
    assert.equal(countChanges(stored, { ...stored, attributes: stored.attributes.toReversed() }), 1)
    const attributes = [{ ...stored.attributes[0]!, unique: true }, newAttribute('price', 'price')]
    assert.equal(countChanges(stored, { ...stored, attributes }), 3)
  })

  it('loses an attribute with all that names it', () => {
    const draft = { ...stored, ...withoutAttribute(stored, 'name') }
    assert.deepEqual(draft.groups![0]!.attributeAliases, ['sku'])
    assert.deepEqual([draft.labelAttribute, draft.attributes.length], [undefined, 1])
  })

  it('moves its parts within their list', () => {
    assert.deepEqual(moved(['a', 'b', 'c'], 2, -1), ['a', 'c', 'b'])
    assert.deepEqual(moved(['a', 'b'], 0, -1), ['a', 'b'])
  })

  it('offers the rules of a data type, and IDs that can be read', () => {
    assert.deepEqual(rulesOf('boolean'), [])
    assert.ok(rulesOf('text').includes('pattern'))
    assert.deepEqual([idOf('Grüner Tee!'), idOf('日本')], ['gruner-tee', ''])
  })
})

describe('M4 a workflow', () => {
  const workflow: StoredWorkflow = {
    id: 'wf',
    name: 'W',
    initialStateId: 'a',
    states: [
      { id: 'a', name: 'A' },
      { id: 'b', name: 'B' },
    ],
    transitions: [
      { id: 'go', fromStateId: 'a', toStateId: 'b', name: 'Go', allowedRoleIds: ['r'], requiresCompleteness: true },
    ],
  }

  it('is a matrix from × to', () => {
    const rows = matrixOf(workflow)
    assert.deepEqual(
      rows.map(({ cells }) => cells.map(({ transitions, isSame }) => [transitions.length, isSame])),
      [
        [
          [0, true],
          [1, false],
        ],
        [
          [0, false],
          [0, true],
        ],
      ],
    )
  })

  it('gets transitions whose IDs are their own', () => {
    const [a, b] = workflow.states as [StoredWorkflow['states'][number], StoredWorkflow['states'][number]]
    const first = newTransition(workflow, b, a, ['r'])
    const second = newTransition({ ...workflow, transitions: withTransition(workflow, first) }, b, a, ['r'])
    assert.deepEqual([first.id, second.id], ['tr-b-a', 'tr-b-a-2'])
    assert.equal(withTransition(workflow, { ...workflow.transitions[0]!, name: 'Leave' })[0]!.name, 'Leave')
  })

  it('loses a state with what leads there', () => {
    const without = withoutState(workflow, 'a')
    assert.deepEqual([without.states!.length, without.transitions!.length, without.initialStateId], [1, 0, 'b'])
  })
})
