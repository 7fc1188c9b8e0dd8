// The visible rows of a tree, and the moves of keys between them.

export interface TreeNode {
  readonly id: string
  readonly name: string
  readonly children: readonly TreeNode[]
}

export interface TreeRow<Node extends TreeNode = TreeNode> {
  readonly node: Node
  /** From 1. */
  readonly level: number
  /** The position among the siblings, from 1, and the number of siblings. */
  readonly place: number
  readonly siblings: number
  readonly parentId: string | null
  readonly isOpen: boolean
}

/** In the order of display. */
export function treeRows<Node extends TreeNode>(
  nodes: readonly Node[],
  open: ReadonlySet<string>,
  level = 1,
  parentId: string | null = null,
): TreeRow<Node>[] {
  return nodes.flatMap((node, index) => {
    const isOpen = node.children.length > 0 && open.has(node.id)
    const row = { node, level, place: index + 1, siblings: nodes.length, parentId, isOpen }
    return isOpen ? [row, ...treeRows(node.children as readonly Node[], open, level + 1, node.id)] : [row]
  })
}

/** The effect of a key on the row `id`: moves the focus, opens or closes. */
type TreeStep = { readonly move: string } | { readonly open: string } | { readonly close: string } | undefined

export function treeStep(key: string, id: string, rows: readonly TreeRow[]): TreeStep {
  const at = rows.findIndex(({ node }) => node.id === id)
  const row = rows[at]
  const to = (index: number): TreeStep => (rows[index] === undefined ? undefined : { move: rows[index].node.id })
  if (row === undefined) return to(0)
  if (key === 'ArrowDown') return to(at + 1)
  if (key === 'ArrowUp') return to(at - 1)
  if (key === 'Home') return to(0)
  if (key === 'End') return to(rows.length - 1)
  if (key === 'ArrowRight') {
    if (row.node.children.length === 0) return undefined
    return row.isOpen ? to(at + 1) : { open: id }
  }
  if (key === 'ArrowLeft') {
    if (row.isOpen) return { close: id }
    return row.parentId === null ? undefined : { move: row.parentId }
  }
  if (key.length !== 1 || key === ' ') return undefined
  const order = rows.map((_, index) => rows[(at + 1 + index) % rows.length]!)
  const next = order.find(({ node }) => node.name.toLowerCase().startsWith(key.toLowerCase()))
  return next === undefined ? undefined : { move: next.node.id }
}
