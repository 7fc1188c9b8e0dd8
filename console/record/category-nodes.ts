// The categories of a catalog as a tree, with the assignments of a record. Pure.
import type { Named } from '../../src/core/model/rules/names.ts'

export interface CategoryNode {
  readonly id: string
  readonly name: string
  readonly children: readonly CategoryNode[]
}

interface Category extends Named {
  readonly id: string
  readonly parentId: string | null
  readonly sortOrder: number
}

export function categoryNodes(categories: readonly Category[], nameOf: (named: Named) => string): CategoryNode[] {
  const byParent = Map.groupBy(categories, ({ parentId }) => parentId)
  const below = (parentId: string | null): CategoryNode[] =>
    (byParent.get(parentId) ?? [])
      .toSorted((one, other) => one.sortOrder - other.sortOrder || nameOf(one).localeCompare(nameOf(other)))
      .map((category) => ({ id: category.id, name: nameOf(category), children: below(category.id) }))
  return below(null)
}

/** Returns the ancestors of `ids`, which must be open to make `ids` visible. */
export function pathsTo(nodes: readonly CategoryNode[], ids: ReadonlySet<string>): Set<string> {
  const open = new Set<string>()
  const walk = (node: CategoryNode): boolean => {
    const isBelow = node.children.map(walk).includes(true)
    if (isBelow) open.add(node.id)
    return isBelow || ids.has(node.id)
  }
  nodes.forEach(walk)
  return open
}

/** `Tea › Classics`. */
export function categoryPaths(nodes: readonly CategoryNode[], above = ''): Map<string, string> {
  return new Map(
    nodes.flatMap((node) => {
      const path = above === '' ? node.name : `${above} › ${node.name}`
      return [[node.id, path], ...categoryPaths(node.children, path)] as [string, string][]
    }),
  )
}
