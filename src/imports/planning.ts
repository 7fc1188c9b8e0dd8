// Reads a file once before its import, and plans the options and categories that it needs and the model lacks. Contract 3 §4.
import type { CsvHeader } from '../core/csv/csv-header.ts'
import type { Model } from '../core/model/rules/model.ts'
import type { NewModel } from '../core/model/rules/new-model.ts'
import { scopeKey } from '../core/scopes/scope.ts'
import { PimletError } from '../kernel/errors.ts'
import type { System } from '../kernel/machine/system.ts'
import type { Store } from '../store/port.ts'
import { readHeader } from './file-header.ts'
import { prepare } from './import-line.ts'
import { categoryNames } from './category-cells.ts'
import { CategoryTree } from './rules/named-categories.ts'
import type { ImportLine } from './rules/import-outcome.ts'
import type { ImportMapping } from './rules/import-profile.ts'
import type { ImportSetting } from './rules/import-setting.ts'
import { Making } from './rules/making.ts'
import { optionTexts } from './rules/mapped-header.ts'
import { OptionNames } from './rules/option-names.ts'
import { modelFor } from './rules/planned-model.ts'

/** Options that one import makes. */
const MAX_NEW_OPTIONS = 20_000

interface PlanningDeps {
  readonly store: Store
  readonly system: System
}

/** Whether the import may have to make something, so that its file must be read twice. */
export function mayCreate(mapping: ImportMapping | undefined): mapping is ImportMapping {
  return mapping?.columns.some((column) => column.createOptions === true || column.createCategories === true) === true
}

/**
 * Undefined: the mapping makes nothing.
 * @throws LIMIT_EXCEEDED; VALIDATION_ERROR where the catalog of a new category is not clear; errors of `lines`
 */
export async function planMaking(
  { store, system }: PlanningDeps,
  { mapping, ...setting }: ImportSetting,
  lines: AsyncIterable<ImportLine>,
): Promise<Making | undefined> {
  if (!mayCreate(mapping)) return undefined
  const plan = new Plan(mapping, modelFor(setting, await store.read.model()), () => system.newId('ctg'))
  const brought = setting.newModel?.catalogs ?? []
  let header: CsvHeader | undefined
  for await (const line of lines) {
    if (line.kind === 'header') {
      header = await readHeader(store, line, { ...setting, mapping })
      continue
    }
    const prepared = prepare(line, header)
    if (prepared.kind !== 'row' || header === undefined) continue
    plan.addOptions(prepared.cells, header)
    const names = categoryNames(prepared.cells[header.mapped?.categories?.cell ?? -1] ?? null) ?? []
    if (names.length === 0 || !plan.createsCategories) continue
    plan.addCategories(names, await treeOf(store, plan, brought))
  }
  return plan.finish()
}

class Plan {
  readonly #mapping: ImportMapping
  readonly #newId: () => string
  /** By alias. */
  readonly #names = new Map<string, OptionNames>()
  /** Scopes, in `scopeKey` form, whose columns make options, by alias. */
  readonly #scopes = new Map<string, Set<string>>()
  readonly #model: Model
  tree: CategoryTree | undefined

  constructor(mapping: ImportMapping, model: Model, newId: () => string) {
    this.#mapping = mapping
    this.#model = model
    this.#newId = newId
    for (const { to, createOptions } of mapping.columns) {
      if (createOptions !== true || 'field' in to) continue
      const { attributeAlias: alias, scope = {} } = to
      this.#scopes.set(alias, (this.#scopes.get(alias) ?? new Set()).add(scopeKey(scope)))
      if (!this.#names.has(alias)) this.#names.set(alias, new OptionNames(this.#attribute(alias)))
    }
  }

  get createsCategories(): boolean {
    return this.#column !== undefined
  }

  get #column() {
    return this.#mapping.columns.find(({ createCategories }) => createCategories === true)
  }

  #attribute(alias: string) {
    return this.#model.schemas.get(this.#mapping.schemaId)!.attribute(alias)!
  }

  addOptions(cells: readonly (string | number | boolean | null)[], { values }: CsvHeader): void {
    for (const { alias, key, cell } of values) {
      const names = this.#names.get(alias)
      if (names === undefined || this.#scopes.get(alias)?.has(key) !== true) continue
      for (const text of optionTexts(cells[cell] ?? null, this.#attribute(alias)))
        if (names.find(text) === undefined) names.add(text)
    }
    let count = 0
    for (const { added } of this.#names.values()) count += added.length
    if (count > MAX_NEW_OPTIONS)
      throw new PimletError('LIMIT_EXCEEDED', `createOptions: one import makes at most ${MAX_NEW_OPTIONS} options`)
  }

  treeOptions(catalogIds: readonly string[]) {
    return { catalogIds, catalogId: this.#column?.catalogId, newId: this.#newId }
  }

  addCategories(names: readonly string[], tree: CategoryTree): void {
    for (const name of names) tree.add(name)
  }

  finish(): Making {
    const options = [...this.#names].map(([alias, { added }]) => [alias, added] as const)
    return new Making({
      schemaId: this.#mapping.schemaId,
      options: new Map(options.filter(([, added]) => added.length > 0)),
      categories: this.tree?.added ?? [],
      paths: this.tree?.paths ?? new Map(),
    })
  }
}

/**
 * All categories, read with the first row that names one. @param brought catalogs that the import makes unless they are
 * there, with their categories
 */
async function treeOf({ read }: Store, plan: Plan, brought: NewModel['catalogs']): Promise<CategoryTree> {
  if (plan.tree !== undefined) return plan.tree
  const present = (await read.catalogs.list()).map(({ id }) => id)
  const added = brought.filter(({ id }) => !present.includes(id))
  const all = added.flatMap(({ id: catalogId, categories }) =>
    categories.map(({ id, name, parentId }) => ({ id, catalogId, parentId: parentId ?? null, name })),
  )
  for (const id of present) all.push(...(await read.categories.listOf(id)))
  plan.tree = new CategoryTree(all, plan.treeOptions([...present, ...added.map(({ id }) => id)]))
  return plan.tree
}
