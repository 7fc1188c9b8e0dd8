import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tallyCompleteness } from '../../../../src/core/records/rules/completeness.ts'
import { checkAccess, MAX_ISSUES, requiredIssue, scoreDraft } from '../../../../src/core/records/rules/record-issues.ts'
import { FaultList } from '../../../../src/core/values/value-fault.ts'
import { attribute, dimension, layers, modelOf, role } from '../../../helpers/domain-model.ts'

const requiredInStateIds = ['state-draft']
const { model, schema } = modelOf([
  attribute('name', { dimensionIds: ['language'], requiredInStateIds }),
  attribute('note', { requiredInStateIds }),
])
const tally = tallyCompleteness({ layers: layers({}), schema, model }, 'state-draft')
const inLanguage = (language: string) => ({ attributeAlias: 'name', scope: { language } })

test('what was given and cannot be taken is missing, and not said to be required besides', () => {
  const score = scoreDraft(tally, [inLanguage('de')])
  assert.deepEqual([score.filled, score.total, score.missing.length], [0, 4, 4])
  assert.deepEqual(score.required, [inLanguage('en'), inLanguage('fr'), { attributeAlias: 'note', scope: {} }])
  assert.deepEqual(scoreDraft(tally, [{ attributeAlias: 'name', scope: {} }]).required.length, 1)
  assert.deepEqual(scoreDraft(tally, []).required, score.missing)
})

test('missing fields have a limit, which what was given does not count towards', () => {
  const segments = Array.from({ length: MAX_ISSUES + 1 }, (_, index) => `s${index}`)
  const many = modelOf(
    [attribute('wide', { dimensionIds: ['wide'], requiredInStateIds }), attribute('last', { requiredInStateIds })],
    { dimensions: [dimension('wide', ...segments)] },
  )
  const wide = tallyCompleteness({ layers: layers({}), ...many }, 'state-draft')
  const score = scoreDraft(wide, [{ attributeAlias: 'wide', scope: {} }])
  assert.deepEqual([score.missing.length, score.total], [MAX_ISSUES, MAX_ISSUES + 2])
  assert.deepEqual(score.required, [{ attributeAlias: 'last', scope: {} }])
})

test('a required field is named with its scope and state', () => {
  const { message, code } = requiredIssue(inLanguage('de'), 'state-draft')
  assert.equal(code, 'required')
  for (const part of ['values.name', 'language=de', 'state-draft']) assert.ok(message.includes(part), message)
})

test('attributes that the role may not write are named, and of those that it may not read nothing is passed on', () => {
  const faults = new FaultList(10)
  const clerk = role({ attributePermissions: { sch: { name: 'write', note: 'read' } } })
  const input = { name: 1, note: 2, secret: 3, constructor: 4 }
  assert.deepEqual(checkAccess(input, clerk, 'sch', faults), { name: 1, note: 2 })
  assert.deepEqual(
    faults.faults.map(({ attributeAlias, code }) => [attributeAlias, code]),
    ['note', 'secret', 'constructor'].map((alias) => [alias, 'permission']),
  )
})
