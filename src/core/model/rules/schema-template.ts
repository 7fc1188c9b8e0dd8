// Templates: ready schemas of a trade, with languages and a workflow to choose. Contract 5 §1.
import * as v from 'valibot'
import { exactObject } from '../../../kernel/input/exact-object.ts'
import { listOf } from '../../../kernel/input/validation.ts'
import { parse } from '../../../kernel/input/parse.ts'
import { own } from '../../../kernel/own.ts'
import { findLanguageDimension } from './language-dimension.ts'
import type { Model } from './model.ts'
import type { Named as InLanguages, Names } from './names.ts'
import { type NewModel, NewModelInput } from './new-model.ts'
import { KNOWN_NAMES } from './known-names.ts'

export const TEMPLATE_IDS = ['clothing', 'food', 'electronics', 'books'] as const
/** simple: draft and published; review: with a review between; complete: a review, and only complete records are published. */
const TEMPLATE_WORKFLOWS = ['simple', 'review', 'complete'] as const
type TemplateWorkflow = (typeof TEMPLATE_WORKFLOWS)[number]

const LanguageTag = v.pipe(
  v.string('must be a string'),
  v.regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/, 'must be a language, such as de or pt-BR'),
)
export const TemplateChoice = exactObject({
  languages: v.pipe(
    listOf(LanguageTag, 50),
    v.minLength(1, 'must name a language'),
    v.description('The languages of texts. Segments that the dimension of languages has stay.'),
  ),
  workflow: v.optional(v.picklist(TEMPLATE_WORKFLOWS, `must be one of ${TEMPLATE_WORKFLOWS.join(', ')}`), 'simple'),
})
export type TemplateChoice = v.InferOutput<typeof TemplateChoice>

interface Named {
  readonly id: string
  readonly names: Names
}

/** A file of `demo/templates/`. */
export interface Template extends Named {
  readonly descriptions: Names
  readonly schema: Named & {
    readonly labelAttribute: string
    readonly imageAttribute: string
    readonly variantAttributes?: readonly string[]
    readonly groups: readonly (Named & { readonly attributeAliases: readonly string[] })[]
    readonly attributes: readonly TemplateAttribute[]
  }
  readonly catalog: Named & { readonly categories: readonly (Named & { readonly parentId?: string })[] }
}

type TemplateAttribute = {
  readonly alias: string
  readonly names: Names
  readonly options?: readonly Named[]
  /** True: the values are scoped by the dimension of languages. */
  readonly isTranslated?: boolean
  /** Required in the state Published. */
  readonly isRequired?: boolean
}

const PUBLISHED = 'state-published'

/** Returns the parts that the template makes. @param nameOf returns the name of a language in this language */
export function templateModel(
  { schema, catalog }: Template,
  { languages, workflow }: TemplateChoice,
  model: Model,
  nameOf: (language: string) => string | undefined,
): NewModel {
  const dimension = findLanguageDimension([...model.dimensions.values()]) ?? { id: 'language', name: 'Language' }
  const flow = workflowOf(workflow, languages)
  const segments = [...new Set(languages)].map((id) => ({ id, name: nameOf(id) ?? id }))
  const attributes = schema.attributes.map(({ isTranslated = false, isRequired = false, options, ...attribute }) => ({
    ...named(attribute),
    ...(options === undefined ? {} : { options: options.map(named) }),
    dimensionIds: isTranslated ? [dimension.id] : [],
    requiredInStateIds: isRequired ? [PUBLISHED] : [],
  }))
  const parts = {
    dimensions: [{ id: dimension.id, name: dimension.name, segments }],
    // An earlier template may have made the workflow.
    workflows: model.workflows.has(flow.id) ? [] : [flow],
    schemas: [{ ...named(schema), workflowId: flow.id, groups: schema.groups.map(named), attributes }],
    catalogs: [
      {
        ...named(catalog),
        name: nameIn(catalog.names, languages),
        categories: catalog.categories.map((one, at) => ({ ...named(one), sortOrder: at })),
      },
    ],
  }
  return parse(NewModelInput, parts, 'template')
}

function named<Of extends { readonly names: Names }>({ names, ...rest }: Of) {
  const { en: name = '', ...others } = names
  return { ...rest, name, names: others }
}

/** Returns the one name of a catalog or workflow: in the first of the languages that the template has. */
function nameIn(names: Names, languages: readonly string[]): string {
  const spoken = languages.find((language) => own(names, language) !== undefined) ?? 'en'
  return own(names, spoken)!
}

const FLOW_NAMES = {
  simple: { en: 'Draft and published', de: 'Entwurf und veröffentlicht', fr: 'Brouillon et publié' },
  review: { en: 'With a review', de: 'Mit Prüfung', fr: 'Avec relecture' },
  complete: {
    en: 'With a review, complete only',
    de: 'Mit Prüfung, nur vollständige',
    fr: 'Avec relecture, complets seulement',
  },
} as const

const EDITORS = ['role-admin', 'role-editor']

function workflowOf(choice: TemplateWorkflow, languages: readonly string[]): NewModel['workflows'][number] {
  const hasReview = choice !== 'simple'
  const states = [
    { id: 'state-draft', ...KNOWN_NAMES.draft },
    ...(hasReview ? [{ id: 'state-review', ...KNOWN_NAMES.review }] : []),
    { id: PUBLISHED, ...KNOWN_NAMES.published },
  ]
  const before = hasReview ? 'state-review' : 'state-draft'
  const transitions = [
    ...(hasReview
      ? [
          move('submit', KNOWN_NAMES.submit, 'state-draft', 'state-review'),
          move('send-back', KNOWN_NAMES.sendBack, 'state-review', 'state-draft'),
        ]
      : []),
    { ...move('publish', KNOWN_NAMES.publish, before, PUBLISHED), requiresCompleteness: choice === 'complete' },
    move('unpublish', KNOWN_NAMES.unpublish, PUBLISHED, 'state-draft'),
  ]
  return {
    id: `wf-${choice}`,
    name: nameIn(FLOW_NAMES[choice], languages),
    initialStateId: 'state-draft',
    states,
    transitions,
  }
}

function move(id: string, called: InLanguages, fromStateId: string, toStateId: string) {
  return { id: `tr-${id}`, ...called, fromStateId, toStateId, allowedRoleIds: EDITORS, requiresCompleteness: false }
}
