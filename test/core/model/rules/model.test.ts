import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BUILT_IN_ROLES } from '../../../../src/core/accounts/rules/permissions.ts'
import { DEFAULT_WORKFLOW } from '../../../../src/core/model/rules/workflow.ts'
import { attribute, LANGUAGE, modelOf } from '../../../helpers/domain-model.ts'
import { buildModel } from '../../../helpers/build-model.ts'

test('everything in the model is found by its ID', () => {
  const model = buildModel({
    dimensions: [LANGUAGE],
    workflows: [DEFAULT_WORKFLOW],
    schemas: [],
    roles: BUILT_IN_ROLES,
  })
  assert.equal(model.dimensions.get('language'), LANGUAGE)
  assert.equal(model.workflows.get('wf-default'), DEFAULT_WORKFLOW)
  assert.equal(model.roles.get('role-viewer'), BUILT_IN_ROLES[2])
  assert.equal(model.schemas.size, 0)
})

test('members of Object are not in the model until somebody calls something so', () => {
  const { model, schema } = modelOf([attribute('toString')])
  for (const id of ['constructor', '__proto__', 'hasOwnProperty']) {
    assert.equal(model.dimensions.get(id), undefined)
    assert.equal(model.schemas.get(id), undefined)
    assert.equal(schema.attribute(id), undefined)
  }
  assert.equal(schema.attribute('toString')?.alias, 'toString')
})
