// Names and examples of the shapes of the model: dimensions, workflows, schemas, catalogs and categories.
import { AttributeInput, Guard } from '../../../domain/model/attributes.ts'
import { AssignmentInput, CatalogInput, CategoryInput } from '../../../domain/model/catalogs.ts'
import {
  AttributeCriterion,
  CriteriaGroup,
  Criterion,
  FieldCriterion,
  GuardCriterion,
} from '../../../domain/search/criterion.ts'
import { DimensionInput } from '../../../domain/model/dimensions.ts'
import { ValidationRules } from '../../../domain/values/rules.ts'
import { SchemaInput } from '../../../domain/model/schemas.ts'
import { TransitionInput, WorkflowInput } from '../../../domain/model/workflows.ts'
import {
  AssignmentShape,
  AttributeShape,
  CatalogShape,
  CategoryShape,
  GuardCriterionShape,
  DimensionShape,
  GuardShape,
  SchemaShape,
  TransitionShape,
  ValidationShape,
  WorkflowShape,
} from '../../shapes/model-schemas.ts'
import { RenameAttributeBody } from '../../routes/model/schemas.ts'
import { component, type Components } from '../component.ts'
import { EXAMPLE_IDS } from '../example-ids.ts'

const language = {
  id: 'language',
  name: 'Language',
  segments: [
    { id: 'en', name: 'English' },
    { id: 'de', name: 'German' },
  ],
}
const publish = {
  id: 'tr-publish',
  fromStateId: 'state-review',
  toStateId: 'state-published',
  name: 'Publish',
  allowedRoleIds: ['role-admin', 'role-editor'],
  requiresCompleteness: true,
}
const workflow = {
  id: 'wf-default',
  name: 'Default',
  initialStateId: 'state-draft',
  states: [
    { id: 'state-draft', name: 'Draft' },
    { id: 'state-review', name: 'Review' },
    { id: 'state-published', name: 'Published' },
  ],
  transitions: [publish],
}
const hasWeight = { attributeAlias: 'weight', operator: 'isNotEmpty' as const }
const nameInput = {
  alias: 'name',
  name: 'Name',
  dataType: 'text' as const,
  dimensionIds: ['language'],
  requiredInStateIds: ['state-published'],
  validation: { maxLength: 80 },
}
const name = { ...nameInput, description: '', unique: false, guard: null, options: [], units: [], currencies: [] }
const shirt = { id: 'sch-shirt', name: 'Shirt', workflowId: 'wf-default', combinations: null }
const category = { id: 'ctg-shirts', parentId: null, name: 'Shirts', sortOrder: 10 }

export const modelComponents: Components = {
  RenameAttribute: component(RenameAttributeBody, { from: 'name', to: 'title' }),
  Dimension: component(DimensionShape, language),
  DimensionInput: component(DimensionInput, language),
  Transition: component(TransitionShape, publish),
  TransitionInput: component(TransitionInput, publish),
  Workflow: component(WorkflowShape, workflow),
  WorkflowInput: component(WorkflowInput, workflow),
  GuardCriterion: component(GuardCriterionShape, hasWeight),
  GuardCriterionInput: component(GuardCriterion, hasWeight),
  CriterionInput: component(Criterion, { attributeAlias: 'name', operator: 'contains', value: 'shirt' }),
  CriteriaGroup: component(CriteriaGroup, {
    criteriaOperator: 'or',
    not: true,
    criteria: [{ attributeAlias: 'name', operator: 'isEmpty' }],
  }),
  FieldCriterion: component(FieldCriterion, { field: 'completeness', operator: 'lt', value: 100 }),
  AttributeCriterion: component(AttributeCriterion, {
    attributeAlias: 'name',
    operator: 'contains',
    value: 'shirt',
    scope: { language: 'en' },
  }),
  GuardInput: component(Guard, { criteriaOperator: 'and', criteria: [hasWeight] }),
  Guard: component(GuardShape, { criteriaOperator: 'and', criteria: [hasWeight] }),
  ValidationRules: component(ValidationShape, { minLength: 3, maxLength: 80, pattern: '^[A-Z]' }),
  ValidationRulesInput: component(ValidationRules, { minLength: 3, maxLength: 80, pattern: '^[A-Z]' }),
  Attribute: component(AttributeShape, name),
  AttributeInput: component(AttributeInput, nameInput),
  Schema: component(SchemaShape, {
    ...shirt,
    attributes: [name],
    createdAt: '2026-03-01T08:00:00.000Z',
    updatedAt: '2026-03-01T08:00:00.000Z',
  }),
  SchemaInput: component(SchemaInput, {
    ...shirt,
    attributes: [
      nameInput,
      { alias: 'price', dataType: 'price', currencies: ['EUR', 'CHF'] },
      {
        alias: 'size',
        dataType: 'select',
        options: [
          { id: 's', name: 'S' },
          { id: 'm', name: 'M' },
        ],
      },
    ],
  }),
  Catalog: component(CatalogShape, { id: 'cat-web', name: 'Web shop' }),
  CatalogInput: component(CatalogInput, { id: 'cat-web', name: 'Web shop' }),
  Category: component(CategoryShape, { ...category, catalogId: 'cat-web' }),
  CategoryInput: component(CategoryInput, category),
  CategoryAssignment: component(AssignmentShape, {
    entityId: EXAMPLE_IDS.record,
    categoryId: 'ctg-shirts',
    sortOrder: 1,
  }),
  CategoryAssignmentInput: component(AssignmentInput, { categoryId: 'ctg-shirts', sortOrder: 1 }),
}
