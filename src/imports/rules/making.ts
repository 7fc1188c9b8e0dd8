// The options and categories that an import makes before it writes lines. A dry run writes lines as if they were there.
// Contract 3 §4.
import * as v from 'valibot'
import type { OutputOf } from '../../kernel/input/validation.ts'
import { Schema, type Model } from '../../core/model/rules/model.ts'
import type { CategoriesChange, CategoryPlace } from '../../core/records/rules/changes.ts'
import { foldPath, type NewCategory } from './named-categories.ts'
import type { NewOption } from './option-names.ts'

/** Options and categories that the plan of an import lists, of each kind. */
const MAX_LISTED = 100

/** Options and categories that an import makes, or would make. */
export const MakingMember = v.optional(
  v.pipe(
    v.object({
      options: v.array(
        v.object({ schemaId: v.string(), attributeAlias: v.string(), id: v.string(), name: v.string() }),
      ),
      otherOptions: v.pipe(v.number(), v.description('How many more options there are.')),
      categories: v.pipe(
        v.array(v.object({ catalogId: v.string(), path: v.string() })),
        v.description('Names from the root of the catalog, joined by /.'),
      ),
      otherCategories: v.number(),
    }),
    v.description('In an import with createOptions or createCategories: what it has made, or in a dry run would make.'),
  ),
)

/** For a person to look at. */
type MakingList = NonNullable<OutputOf<typeof MakingMember>>

export class Making {
  readonly schemaId: string
  /** By the alias of their attribute. */
  readonly options: ReadonlyMap<string, readonly NewOption[]>
  /** Parents come before their children. */
  readonly categories: readonly NewCategory[]
  readonly #paths: ReadonlyMap<string, string>
  readonly #isMade: boolean
  /** The paths of planned categories by their IDs. */
  #planned: ReadonlyMap<string, string> | undefined
  /** The latest model, with the planned options. */
  #known: { readonly base: Model; readonly model: Model } | undefined

  constructor(
    parts: Pick<Making, 'schemaId' | 'options' | 'categories'> & { readonly paths: ReadonlyMap<string, string> },
    isMade = false,
  ) {
    this.schemaId = parts.schemaId
    this.options = parts.options
    this.categories = parts.categories
    this.#paths = parts.paths
    this.#isMade = isMade
  }

  /** The same, when storage has all of it. */
  made(): Making {
    return new Making(
      { schemaId: this.schemaId, options: this.options, categories: this.categories, paths: this.#paths },
      true,
    )
  }

  /** The category that a path means, in any case and spacing. */
  categoryOf(path: string): string | undefined {
    return this.#paths.get(foldPath(path))
  }

  /** The changes of a dry run, with the path of each planned category in place of an ID that nobody knows. */
  told(changes: readonly CategoriesChange[]): readonly CategoriesChange[] {
    if (this.#isMade || this.categories.length === 0) return changes
    this.#planned ??= new Map(this.categories.map(({ id, path }) => [id, path]))
    const planned = this.#planned
    const named = (places: readonly CategoryPlace[]) =>
      places.map((place) => ({ ...place, categoryId: planned.get(place.categoryId) ?? place.categoryId }))
    return changes.map(({ oldValue, newValue, ...change }) => ({
      ...change,
      oldValue: named(oldValue),
      newValue: newValue && named(newValue),
    }))
  }

  /** The model with the planned options. */
  modelOver(base: Model): Model {
    const schema = base.schemas.get(this.schemaId)
    if (this.#isMade || schema === undefined || this.options.size === 0) return base
    if (this.#known?.base !== base) {
      const schemas = new Map(base.schemas).set(schema.id, withOptions(schema, this.options))
      this.#known = { base, model: { ...base, schemas } }
    }
    return this.#known.model
  }

  list(): MakingList {
    const { schemaId } = this
    const options = [...this.options].flatMap(([attributeAlias, added]) =>
      added.map((option) => ({ schemaId, attributeAlias, ...option })),
    )
    const categories = this.categories.map(({ catalogId, path }) => ({ catalogId, path }))
    return {
      options: options.slice(0, MAX_LISTED),
      otherOptions: Math.max(0, options.length - MAX_LISTED),
      categories: categories.slice(0, MAX_LISTED),
      otherCategories: Math.max(0, categories.length - MAX_LISTED),
    }
  }
}

function withOptions(schema: Schema, options: Making['options']): Schema {
  const attributes = schema.attributes.map((attribute) => {
    const present = new Set(attribute.options.map(({ id }) => id))
    const added = (options.get(attribute.alias) ?? []).filter(({ id }) => !present.has(id))
    return added.length === 0 ? attribute : { ...attribute, options: [...attribute.options, ...added] }
  })
  const { id, workflowId, combinations, labelAttribute } = schema
  return new Schema({ id, workflowId, combinations, labelAttribute, attributes })
}
