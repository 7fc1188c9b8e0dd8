// Finds the categories that paths of an import name, and plans those that are missing. Contract 3 §4.
import type { Category } from '../../core/model/rules/catalog.ts'
import { invalid, PimletError } from '../../kernel/errors.ts'
import { MAX_NAME } from '../../kernel/input/validation.ts'
import { foldName, oneLine } from './fold-name.ts'

export interface NewCategory {
  readonly id: string
  readonly catalogId: string
  readonly parentId: string | null
  readonly name: string
  /** The names from the root of the catalog on. */
  readonly path: string
}

/** Categories that one import makes. */
const MAX_NEW_CATEGORIES = 10_000
/** Paths that are remembered. */
const MAX_PATHS = 100_000
/** Names of one path, and steps of looking one up. */
const MAX_PARTS = 100
const MAX_STEPS = 10_000
/** Letters of one name, when they are taken apart and have other cases. No category has a longer name. */
const MAX_LETTERS = 10 * MAX_NAME

type Node = Pick<Category, 'id' | 'catalogId' | 'parentId' | 'name'>

interface TreeOptions {
  readonly catalogIds: readonly string[]
  /** The catalog of paths that several catalogs have, and of paths whose first name none has. */
  readonly catalogId: string | undefined
  readonly newId: () => string
}

export class CategoryTree {
  readonly #options: TreeOptions
  readonly #ids = new Set<string>()
  /** The children of a category, or the roots (''), by their folded names. */
  readonly #children = new Map<string, Map<string, Node[]>>()
  readonly #paths = new Map<string, string>()
  readonly added: NewCategory[] = []

  constructor(categories: Iterable<Node>, options: TreeOptions) {
    this.#options = options
    for (const category of categories) this.#note(category)
  }

  /** Path → category ID, for the paths of `add` that mean one category. */
  get paths(): ReadonlyMap<string, string> {
    return this.#paths
  }

  /**
   * Plans the categories that the path lacks. A path that means several categories, or that has an empty or too long name,
   * is an error of its row.
   * @throws LIMIT_EXCEEDED
   * @throws VALIDATION_ERROR if the catalog is not clear
   */
  add(path: string): void {
    if (path.length > MAX_PARTS * MAX_LETTERS) return
    const folded = foldPath(path)
    if (this.#ids.has(path) || this.#paths.has(folded)) return
    const parts = path.split('/').map(oneLine)
    const reached = parts.length > MAX_PARTS ? undefined : this.#reach(parts)
    if (reached === undefined) return
    const known = this.#ofCatalog(reached[parts.length]!)
    if (known.length > 1) return
    const leaf = known[0] ?? this.#plan(parts, reached)
    if (leaf === undefined) return
    if (this.#paths.size >= MAX_PATHS)
      throw new PimletError('LIMIT_EXCEEDED', `createCategories: a file may name at most ${MAX_PATHS} categories`)
    this.#paths.set(folded, leaf.id)
  }

  /** The categories that the first names lead to, by how many names. Undefined: finding them takes too long. */
  #reach(parts: readonly string[]): Node[][] | undefined {
    const reached: Node[][] = [[]]
    let steps = MAX_STEPS
    for (let end = 1; end <= parts.length; end += 1) {
      const here: Node[] = []
      for (let begin = 0; begin < end; begin += 1) {
        const parents = begin === 0 ? [''] : reached[begin]!.map(({ id }) => id)
        steps -= parents.length
        if (steps < 0) return undefined
        const some = parts.slice(begin, end)
        if (parents.length === 0 || lengthOf(some) > MAX_LETTERS) continue
        const name = foldName(some.join('/'))
        for (const parent of parents) here.push(...(this.#children.get(parent)?.get(name) ?? []))
      }
      reached.push(here)
    }
    return reached
  }

  #plan(parts: readonly string[], reached: readonly Node[][]): Node | undefined {
    if (parts.some((part) => part === '' || part.length > MAX_NAME)) return undefined
    const depth = reached.findLastIndex((nodes) => nodes.length > 0)
    const parents = depth > 0 ? this.#ofCatalog(reached[depth]!) : []
    if (parents.length > 1) return undefined
    let parent = parents[0]
    const catalogId = parent?.catalogId ?? this.#rootCatalog(parts[0]!)
    const begin = parent === undefined ? 0 : depth
    for (let at = begin; at < parts.length; at += 1) parent = this.#make(catalogId, parent, parts, at)
    return parent
  }

  #ofCatalog(nodes: readonly Node[]): Node[] {
    const { catalogId } = this.#options
    return nodes.filter((node) => nodes.length === 1 || catalogId === undefined || node.catalogId === catalogId)
  }

  #rootCatalog(name: string): string {
    const { catalogIds, catalogId } = this.#options
    const found = catalogId ?? (catalogIds.length === 1 ? catalogIds[0] : undefined)
    if (found !== undefined && catalogIds.includes(found)) return found
    const why = found === undefined ? 'is required' : `names the unknown catalog '${found}'`
    throw invalid(`createCategories: catalogId ${why}: the category '${name}' is in no catalog`)
  }

  #make(catalogId: string, parent: Node | undefined, parts: readonly string[], at: number): Node {
    if (this.added.length >= MAX_NEW_CATEGORIES)
      throw new PimletError(
        'LIMIT_EXCEEDED',
        `createCategories: one import makes at most ${MAX_NEW_CATEGORIES} categories`,
      )
    const parentId = parent?.id ?? null
    const path = parts.slice(0, at + 1).join('/')
    const node = { id: this.#options.newId(), catalogId, parentId, name: parts[at]! }
    this.added.push({ ...node, path })
    this.#note(node)
    return node
  }

  #note({ id, catalogId, parentId, name }: Node): void {
    this.#ids.add(id)
    const siblings = this.#children.get(parentId ?? '') ?? new Map<string, Node[]>()
    this.#children.set(parentId ?? '', siblings)
    const folded = foldName(name)
    const alike = siblings.get(folded) ?? []
    siblings.set(folded, alike)
    alike.push({ id, catalogId, parentId, name })
  }
}

/** How long the parts are, joined by a sign. */
export function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, { length }) => sum + length + 1, -1)
}

/** The key of a path, without regard to case and spacing. */
export function foldPath(path: string): string {
  return path.split('/').map(foldName).join('/')
}
