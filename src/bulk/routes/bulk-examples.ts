// Names and examples of the shapes of bulk jobs.
import { BulkJobShape, BulkSampleShape, BulkErrorShape } from '../../core/jobs/rules/bulk-job.ts'
import { ACTION_SHAPES, BulkActionInput } from '../rules/bulk-actions.ts'
import { SelectionInput } from '../../core/search/rules/selection.ts'
import { BulkJobBody, BulkSelectionShape, SelectionByIdsShape, SelectionByQueryShape } from './bulk-shapes.ts'
import { component, type Components } from '../../http/openapi/component.ts'
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts'

const german = { scope: { language: 'de' }, value: 'Baumwollhemd' }
const query = {
  criteria: [{ attributeAlias: 'name', operator: 'contains' as const, value: 'shirt' }],
  criteriaOperator: 'and' as const,
  schemaId: 'sch-shirt',
}
const setValues = { setValues: { name: [german] } }
const sample = {
  recordId: EXAMPLE_IDS.record,
  changes: [{ attributeAlias: 'name', scope: { language: 'de' }, oldValue: 'Hemd', newValue: 'Baumwollhemd' }],
}
const copyScope = { from: { language: 'en' }, to: { language: 'de' }, attributeAliases: ['name'], onlyEmpty: true }

export const bulkComponents: Components = {
  Selection: component(SelectionInput, query),
  SelectionByIds: component(SelectionByIdsShape, { ids: [EXAMPLE_IDS.record] }),
  SelectionByQuery: component(SelectionByQueryShape, { query, except: [EXAMPLE_IDS.otherRecord] }),
  BulkSelection: component(BulkSelectionShape, { query }),
  SetValuesAction: component(ACTION_SHAPES.setValues, setValues),
  PatchValuesAction: component(ACTION_SHAPES.patchValues, { patchValues: { name: [german] } }),
  ClearValuesAction: component(ACTION_SHAPES.clearValues, { clearValues: { attributeAliases: ['name'] } }),
  ReplaceTextAction: component(ACTION_SHAPES.replaceText, {
    replaceText: { attributeAlias: 'name', scope: { language: 'de' }, find: 'Hemd', replace: 'Bluse' },
  }),
  CopyScopeAction: component(ACTION_SHAPES.copyScope, { copyScope }),
  AddReferencesAction: component(ACTION_SHAPES.addReferences, {
    addReferences: { attributeAlias: 'pictures', ids: [EXAMPLE_IDS.otherRecord], at: 0 },
  }),
  RemoveReferencesAction: component(ACTION_SHAPES.removeReferences, {
    removeReferences: { attributeAlias: 'pictures', ids: [EXAMPLE_IDS.otherRecord] },
  }),
  TransitionAction: component(ACTION_SHAPES.transition, { transition: 'tr-submit' }),
  SetCategoriesAction: component(ACTION_SHAPES.setCategories, { setCategories: [{ categoryId: 'ctg-shirts' }] }),
  AddCategoriesAction: component(ACTION_SHAPES.addCategories, { addCategories: [{ categoryId: 'ctg-shirts' }] }),
  RemoveCategoriesAction: component(ACTION_SHAPES.removeCategories, { removeCategories: ['ctg-shirts'] }),
  DeleteAction: component(ACTION_SHAPES.delete, { delete: true }),
  BulkAction: component(BulkActionInput, setValues),
  BulkJobInput: component(BulkJobBody, { selection: { query }, actions: [setValues, { transition: 'tr-submit' }] }),
  BulkSample: component(BulkSampleShape, sample),
  BulkJob: component(BulkJobShape, {
    id: EXAMPLE_IDS.bulkJob,
    name: null,
    kind: 'bulk',
    status: 'running',
    dryRun: false,
    selected: 1200,
    done: 400,
    changed: 390,
    unchanged: 9,
    failed: 1,
    createdAt: '2026-03-05T14:00:00.000Z',
    startedAt: '2026-03-05T14:00:01.000Z',
    completedAt: null,
    createdBy: EXAMPLE_IDS.user,
    ownerId: EXAMPLE_IDS.user,
    pausedReason: null,
    undoes: null,
    undoneBy: null,
  }),
  BulkError: component(BulkErrorShape, {
    recordId: EXAMPLE_IDS.record,
    error: 'VALIDATION_ERROR',
    message: 'values.name[0].value must be a string',
  }),
}
