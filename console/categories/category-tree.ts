// The tree of a catalog, and the moves by keys and drops. C1, C2. The domain decides which trees are valid.
import { assertParent } from '../../src/core/model/rules/catalog.ts'
import type { Endpoints } from '../api/types.ts'
import type { TreeNode } from '../kit/tree-nodes.ts'

export type CountedCategory = Endpoints['GET /api/v1/catalogs/:id/categories']['reply'][number]
export type CategoryPlace = Pick<CountedCategory, 'id' | 'parentId'>

export interface CategoryNode extends TreeNode {
  readonly category: CountedCategory
  readonly children: readonly CategoryNode[]
}

/** A new place: the parent, and the sibling directly after the place. Null: at the top, or last. */
export interface Move {
  readonly parentId: string | null
  readonly before: string | null
}

/** @param categories siblings in their order, as the server sends them */
export function treeOf(
  categories: readonly CountedCategory[],
  nameOf: (category: CountedCategory) => string,
): CategoryNode[] {
  const byParent = Map.groupBy(categories, ({ parentId }) => parentId)
  const below = (parentId: string | null): CategoryNode[] =>
    (byParent.get(parentId) ?? []).map((category) => ({
      id: category.id,
      name: nameOf(category),
      category,
      children: below(category.id),
    }))
  return below(null)
}

/** Returns the IDs of the ancestors, the nearest first. */
export function ancestorsOf(categories: readonly CategoryPlace[], id: string): string[] {
  const parents = new Map(categories.map((category) => [category.id, category.parentId]))
  const above: string[] = []
  for (let at = parents.get(id); typeof at === 'string' && !above.includes(at); at = parents.get(at)) above.push(at)
  return above
}

/** Returns the current place of the category. */
export function placeOf(categories: readonly CategoryPlace[], id: string): Move | undefined {
  const category = categories.find((one) => one.id === id)
  if (category === undefined) return undefined
  const siblings = siblingsOf(categories, category.parentId)
  return { parentId: category.parentId, before: siblings[siblings.indexOf(id) + 1] ?? null }
}

export function isSameMove(one: Move | undefined, other: Move | undefined): boolean {
  return one?.parentId === other?.parentId && one?.before === other?.before
}

/**
 * Returns the move of a key: up and down among the siblings, right into the previous sibling, left after the parent.
 * Undefined: no move is possible.
 */
export function moveByKey(categories: readonly CategoryPlace[], id: string, key: string): Move | undefined {
  const category = categories.find((one) => one.id === id)
  if (category === undefined) return undefined
  const { parentId } = category
  const siblings = siblingsOf(categories, parentId)
  const at = siblings.indexOf(id)
  const [previous, next] = [siblings[at - 1], siblings[at + 1]]
  if (key === 'ArrowUp') return previous === undefined ? undefined : { parentId, before: previous }
  if (key === 'ArrowDown') return next === undefined ? undefined : { parentId, before: siblings[at + 2] ?? null }
  if (key === 'ArrowRight') return previous === undefined ? undefined : { parentId: previous, before: null }
  if (key !== 'ArrowLeft' || parentId === null) return undefined
  const parent = placeOf(categories, parentId)!
  return { parentId: parent.parentId, before: parent.before }
}

export type DropZone = 'before' | 'into' | 'behind'

/** Returns the move of a drop on `target`; undefined: a cycle or no change. */
export function moveByDrop(
  categories: readonly CategoryPlace[],
  id: string,
  target: string,
  zone: DropZone,
): Move | undefined {
  const place = placeOf(categories, target)
  if (place === undefined || id === target) return undefined
  const siblings = siblingsOf(categories, place.parentId).filter((one) => one !== id)
  const behind = siblings[siblings.indexOf(target) + 1] ?? null
  const move: Move =
    zone === 'into'
      ? { parentId: target, before: null }
      : { parentId: place.parentId, before: zone === 'before' ? target : behind }
  if (!mayStand(categories, id, move.parentId) || isSameMove(move, placeOf(categories, id))) return undefined
  return move
}

function mayStand(categories: readonly CategoryPlace[], id: string, parentId: string | null): boolean {
  try {
    assertParent(id, parentId, new Map(categories.map((one) => [one.id, one.parentId])))
    return true
  } catch {
    return false
  }
}

function siblingsOf(categories: readonly CategoryPlace[], parentId: string | null): string[] {
  return categories.filter((one) => one.parentId === parentId).map(({ id }) => id)
}
