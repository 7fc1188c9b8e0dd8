// Names and examples of the shapes of records and of their operations: lifecycle, audit, import.
import {
  MovedRecordShape,
  NewRecordBody,
  ReferrerPageShape,
  ScopedValuesBody,
  TransitionBody,
  UpdatedRecordShape,
  UpdatedValuesShape,
  ValuesBody,
} from './record-shapes.ts'
import { AvailableTransitionShape } from '../rules/transition.ts'
import { RecordShape, ValuesShape, ScopedValueShape } from '../rules/record.ts'
import { ScopedPatchBody, ExpectedValueShape } from '../rules/scoped-patch.ts'
import { RecordCheckShape, RecordCheckBody } from '../rules/record-issues.ts'
import { RestoreBody } from '../rules/restored-values.ts'
import { IssueShape } from '../../values/value-fault.ts'
import { ScopeShape } from '../../scopes/scope.ts'
import {
  AddCategoriesOperationShape,
  BatchBody,
  BatchResultShape,
  CreateOperationShape,
  DeleteOperationShape,
  OperationResultShape,
  OperationShape,
  PatchOperationShape,
  RemoveCategoriesOperationShape,
  SetCategoriesOperationShape,
  TransitionOperationShape,
  UpdateOperationShape,
} from './batch-shapes.ts'
import { AccountEntryShape, SignInShape } from '../../feed/rules/account-entry.ts'
import { MemberChangeShape, ModelEntryShape } from '../../feed/rules/model-entry.ts'
import { ChangePageShape } from './history-shapes.ts'
import { DeletedRecordPageShape, DeletedRecordShape } from '../rules/past-record.ts'
import {
  ChangeNoteShape,
  AuditEntryShape,
  ChangeOriginShape,
  CategoriesChangeShape,
  AttributeChangeShape,
} from '../rules/changes.ts'
import {
  FoundRecordPageShape,
  FoundRecordShape,
  ItemCompletenessShape,
  ReadRecordShape,
  ScoredCompletenessShape,
} from './item-shapes.ts'
import { CombinationScoreShape } from '../rules/combination-scores.ts'
import { component, type Components } from '../../../http/openapi/component.ts'
import { EXAMPLE_CURSOR, EXAMPLE_IDS } from '../../../http/openapi/example-ids.ts'

const english = { scope: { language: 'en' }, value: 'Cotton shirt' }
const german = { scope: { language: 'de' }, value: 'Baumwollhemd' }
const values = { name: [english, german], price: [{ scope: {}, value: { amount: 29.9, currency: 'EUR' } }] }
const place = { id: EXAMPLE_IDS.record, schemaId: 'sch-shirt' }
const updated = { updatedAt: '2026-03-05T14:00:00.000Z' }
const failedSignIns = {
  id: EXAMPLE_IDS.auditEntry,
  entityType: 'user' as const,
  entityId: null,
  userId: 'system',
  timestamp: '2026-03-05T14:01:00.000Z',
  action: 'loginFailed' as const,
  changes: [],
  origin: { kind: 'api' as const },
  signIn: { username: 'root', address: '203.0.113.7', count: 41, since: '2026-03-05T14:00:00.000Z' },
}

export const exampleRecord = {
  ...place,
  parentId: null,
  lifecycleStateId: 'state-draft',
  createdAt: '2026-03-02T09:30:00.000Z',
  ...updated,
  createdBy: EXAMPLE_IDS.user,
  updatedBy: EXAMPLE_IDS.user,
  values,
}
const record = exampleRecord
const issue = {
  attributeAlias: 'name',
  scope: { language: 'de' },
  code: 'type' as const,
  message: 'values.name[0].value must be a string',
}
const entry = {
  id: EXAMPLE_IDS.auditEntry,
  entityId: EXAMPLE_IDS.record,
  userId: EXAMPLE_IDS.user,
  timestamp: '2026-03-05T14:00:00.000Z',
  action: 'update' as const,
  changes: [{ attributeAlias: 'name', scope: { language: 'de' }, oldValue: 'Hemd', newValue: 'Baumwollhemd' }],
  version: 92_841,
  origin: { kind: 'api' as const },
}
const modelEntry = {
  id: EXAMPLE_IDS.auditEntry,
  entityType: 'schema' as const,
  entityId: 'sch-shirt',
  userId: EXAMPLE_IDS.user,
  timestamp: '2026-03-05T14:00:00.000Z',
  action: 'update' as const,
  changes: [{ field: 'name', oldValue: 'Shirt', newValue: 'Shirts' }],
  origin: { kind: 'api' as const },
}
const deleted = {
  entityId: EXAMPLE_IDS.otherRecord,
  schemaId: 'sch-shirt',
  version: 92_840,
  deletedAt: '2026-03-05T14:00:00.000Z',
  deletedBy: EXAMPLE_IDS.user,
}

const ofRecord = { id: EXAMPLE_IDS.record, ifMatch: 92_841 }
const operations = {
  create: { op: 'create' as const, id: 'shirt-1', schemaId: 'sch-shirt', values },
  transition: { op: 'transition' as const, id: 'shirt-1', transitionId: 'tr-submit' },
}
const scored = {
  entityId: EXAMPLE_IDS.record,
  lifecycleStateId: 'state-published',
  filled: 1,
  total: 2,
  percentage: 50,
  missing: [{ attributeAlias: 'name', scope: { language: 'de' } }],
}
const result = { index: 0, status: 201, id: 'shirt-1', version: 92_842 }

export const recordComponents: Components = {
  Scope: component(ScopeShape, { language: 'de', market: 'eu' }),
  ScopedValue: component(ScopedValueShape, german),
  Values: component(ValuesShape, values),
  Record: component(RecordShape, record),
  NewRecord: component(NewRecordBody, { schemaId: 'sch-shirt', values }),
  ValuesUpdate: component(ValuesBody, { values: { name: [english, german] } }),
  ExpectedValue: component(ExpectedValueShape, { attributeAlias: 'name', ...german, value: 'Hemd' }),
  ScopedPatch: component(ScopedPatchBody, {
    values: { name: [german] },
    expect: [{ attributeAlias: 'name', scope: { language: 'de' }, value: 'Hemd' }],
  }),
  Restore: component(RestoreBody, { version: 92_840, attributeAliases: ['name'], scopes: [{ language: 'de' }] }),
  ScopedValuesUpdate: component(ScopedValuesBody, { scopedValues: [english, german] }),
  UpdatedRecord: component(UpdatedRecordShape, {
    ...place,
    lifecycleStateId: 'state-draft',
    ...updated,
    updatedBy: EXAMPLE_IDS.user,
    values,
  }),
  ReferrerPage: component(ReferrerPageShape, {
    items: [{ recordId: EXAMPLE_IDS.record, schemaId: 'sch-shirt', attributeAlias: 'related', scope: {} }],
  }),
  UpdatedValues: component(UpdatedValuesShape, { ...place, ...updated, values: { name: [english, german] } }),
  MovedRecord: component(MovedRecordShape, { ...place, lifecycleStateId: 'state-review', ...updated, values }),
  Completeness: component(ScoredCompletenessShape, scored),
  RecordCheck: component(RecordCheckBody, { id: EXAMPLE_IDS.record, values: { name: [{ ...german, value: 5 }] } }),
  Issue: component(IssueShape, issue),
  RecordCheckResult: component(RecordCheckShape, {
    issues: [issue],
    completeness: scored,
  }),
  CreateOperation: component(CreateOperationShape, operations.create),
  UpdateOperation: component(UpdateOperationShape, { op: 'update', ...ofRecord, values: { name: [english, german] } }),
  PatchOperation: component(PatchOperationShape, { op: 'patch', ...ofRecord, values: { name: [german] } }),
  DeleteOperation: component(DeleteOperationShape, { op: 'delete', ...ofRecord }),
  TransitionOperation: component(TransitionOperationShape, operations.transition),
  SetCategoriesOperation: component(SetCategoriesOperationShape, {
    op: 'setCategories',
    ...ofRecord,
    categories: [{ categoryId: 'ctg-shirts', sortOrder: 1 }],
  }),
  AddCategoriesOperation: component(AddCategoriesOperationShape, {
    op: 'addCategories',
    ...ofRecord,
    categories: [{ categoryId: 'ctg-shirts' }],
  }),
  RemoveCategoriesOperation: component(RemoveCategoriesOperationShape, {
    op: 'removeCategories',
    ...ofRecord,
    categories: ['ctg-shirts'],
  }),
  Operation: component(OperationShape, operations.create),
  Batch: component(BatchBody, { operations: [operations.create, operations.transition] }),
  OperationResult: component(OperationResultShape, result),
  BatchResult: component(BatchResultShape, {
    results: [result, { index: 1, status: 200, id: 'shirt-1', version: 92_843 }],
  }),
  TransitionRequest: component(TransitionBody, { transitionId: 'tr-submit' }),
  AvailableTransition: component(AvailableTransitionShape, {
    id: 'tr-publish',
    fromStateId: 'state-review',
    toStateId: 'state-published',
    name: 'Publish',
    allowedRoleIds: ['role-admin', 'role-editor'],
    requiresCompleteness: true,
    allowed: false,
    reasons: ['completeness'],
    missing: [{ attributeAlias: 'name', scope: { language: 'de' } }],
  }),
  AttributeChange: component(AttributeChangeShape, entry.changes[0]!),
  CategoriesChange: component(CategoriesChangeShape, {
    field: 'categories',
    oldValue: [],
    newValue: [{ categoryId: 'ctg-shirts', sortOrder: 0 }],
  }),
  ChangeOrigin: component(ChangeOriginShape, entry.origin),
  AuditEntry: component(AuditEntryShape, entry),
  ChangeNote: component(ChangeNoteShape, {
    entityId: EXAMPLE_IDS.record,
    action: 'update',
    timestamp: '2026-03-05T14:00:00.000Z',
  }),
  MemberChange: component(MemberChangeShape, modelEntry.changes[0]!),
  ModelEntry: component(ModelEntryShape, modelEntry),
  SignIn: component(SignInShape, failedSignIns.signIn),
  AccountEntry: component(AccountEntryShape, failedSignIns),
  ChangePage: component(ChangePageShape, { items: [entry], cursor: EXAMPLE_CURSOR }),
  DeletedRecord: component(DeletedRecordShape, deleted),
  DeletedRecordPage: component(DeletedRecordPageShape, { items: [deleted], cursor: EXAMPLE_CURSOR }),
}

const combinations = [
  { scope: { language: 'en' }, filled: 1, total: 1, percentage: 100 },
  { scope: { language: 'de' }, filled: 0, total: 1, percentage: 0 },
]
const completeness = {
  stateId: 'state-published',
  percentage: 50,
  filled: 1,
  total: 2,
  combinations,
  missing: [{ attributeAlias: 'description', scope: { language: 'de' } }],
}

const found = {
  ...exampleRecord,
  version: 92_841,
  variantCount: 3,
  resolved: { name: 'Baumwollhemd' },
  completeness,
}

export const itemComponents: Components = {
  CombinationScore: component(CombinationScoreShape, combinations[1]!),
  ItemCompleteness: component(ItemCompletenessShape, completeness),
  FoundRecord: component(FoundRecordShape, found),
  RecordPage: component(FoundRecordPageShape, { items: [found], total: 1, offset: 0, limit: 50 }),
  ReadRecord: component(ReadRecordShape, exampleRecord),
}
