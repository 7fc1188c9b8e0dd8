// Names and examples of the shapes of the model: dimensions, workflows, schemas, catalogs and categories.
import { AttributeInput, Guard } from '../rules/attributes.ts'
import {
  AssignmentInput,
  CatalogInput,
  CategoryInput,
  CategoryMove,
  RecordMove,
  RecordOrder,
  AssignmentShape,
} from '../rules/catalog.ts'
import {
  AttributeCriterion,
  CriteriaGroup,
  Criterion,
  FieldCriterion,
  GuardCriterion,
} from '../../search/rules/criterion.ts'
import { DimensionInput } from '../rules/dimension.ts'
import { ValidationRules } from '../../values/rules.ts'
import { SchemaInput } from '../rules/schema.ts'
import { NamesInput } from '../rules/names.ts'
import { GroupInput } from '../rules/presentation.ts'
import { TemplateChoice } from '../rules/schema-template.ts'
import { AppliedShape, TemplateShape } from './template-routes.ts'
import { TransitionInput, WorkflowInput } from '../rules/workflow.ts'
import {
  AttributeShape,
  CatalogShape,
  CategoryShape,
  CountedCategoryShape,
  DimensionShape,
  EffectShape,
  GroupShape,
  GuardCriterionShape,
  GuardShape,
  ModelEffectsShape,
  SchemaShape,
  TransitionShape,
  ValidationShape,
  WorkflowShape,
} from './model-shapes.ts'
import { CompletenessEffectShape } from '../rules/model-preview.ts'
import { PictureSchemaBody, RenameAttributeBody } from './schema-routes.ts'
import { VisibleModelShape } from './definition-routes.ts'
import { component, type Components } from '../../../http/openapi/component.ts'
import { EXAMPLE_IDS } from '../../../http/openapi/example-ids.ts'

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
const group = { id: 'basics', name: 'Basics', names: { de: 'Grunddaten' }, attributeAliases: ['name'] }
const schema = {
  ...shirt,
  names: { de: 'Hemd' },
  labelAttribute: 'name',
  groups: [group],
  attributes: [name],
  createdAt: '2026-03-01T08:00:00.000Z',
  updatedAt: '2026-03-01T08:00:00.000Z',
}
const effect = {
  schemaId: 'sch-shirt',
  kind: 'valuesUnfit' as const,
  attributeAlias: 'size',
  records: 12,
  values: 14,
  examples: [EXAMPLE_IDS.record],
}
const completenessEffect = { schemaId: 'sch-shirt', stateId: 'state-published', before: 140, after: 128 }
const catalog = { id: 'cat-web', name: 'Web shop' }
const category = { id: 'ctg-shirts', parentId: null, name: 'Shirts', sortOrder: 10 }

const template = {
  id: 'clothing',
  name: 'Clothing',
  names: { de: 'Bekleidung' },
  description: 'Garments with colours, sizes, materials and care.',
  descriptions: { de: 'Kleidung mit Farben, Größen, Materialien und Pflege.' },
  schemaId: 'sch-clothing',
  attributes: 17,
  categories: 8,
}

export const modelComponents: Components = {
  Template: component(TemplateShape, template),
  TemplateChoice: component(TemplateChoice, { languages: ['en', 'de'], workflow: 'review' }),
  AppliedTemplate: component(AppliedShape, {
    schemaId: 'sch-clothing',
    workflowId: 'wf-review',
    catalogId: 'cat-clothing',
  }),
  PictureSchema: component(PictureSchemaBody, { id: 'sch-picture', name: 'Picture' }),
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
  Names: component(NamesInput, { de: 'Hemd', fr: 'Chemise' }),
  Group: component(GroupShape, group),
  GroupInput: component(GroupInput, group),
  Schema: component(SchemaShape, schema),
  VisibleModel: component(VisibleModelShape, {
    dimensions: [language],
    schemas: [schema],
    workflows: [workflow],
    catalogs: [catalog],
  }),
  SchemaInput: component(SchemaInput, {
    ...shirt,
    names: { de: 'Hemd' },
    labelAttribute: 'name',
    groups: [{ ...group, attributeAliases: ['name', 'price'] }],
    variantAttributes: ['size'],
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
  ModelEffect: component(EffectShape, effect),
  CompletenessEffect: component(CompletenessEffectShape, completenessEffect),
  ModelEffects: component(ModelEffectsShape, { effects: [effect], completeness: [completenessEffect] }),
  Catalog: component(CatalogShape, catalog),
  CatalogInput: component(CatalogInput, catalog),
  Category: component(CategoryShape, { ...category, catalogId: 'cat-web' }),
  CountedCategory: component(CountedCategoryShape, {
    ...category,
    catalogId: 'cat-web',
    counts: { direct: 12, total: 140 },
  }),
  CategoryMove: component(CategoryMove, { parentId: null, before: 'ctg-trousers' }),
  RecordMove: component(RecordMove, { recordId: EXAMPLE_IDS.record, before: null }),
  RecordOrder: component(RecordOrder, { recordIds: [EXAMPLE_IDS.record] }),
  CategoryInput: component(CategoryInput, category),
  CategoryAssignment: component(AssignmentShape, {
    entityId: EXAMPLE_IDS.record,
    categoryId: 'ctg-shirts',
    sortOrder: 1,
  }),
  CategoryAssignmentInput: component(AssignmentInput, { categoryId: 'ctg-shirts', sortOrder: 1 }),
}
