// A tree (ARIA Tree View): one row has the focus; arrows move, open and close; Enter chooses the row.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { type TreeDrop, useTreeDrag } from './tree-drag.ts'
import { type TreeNode, type TreeRow, treeRows, treeStep } from './tree-nodes.ts'

interface TreeProps<Node extends TreeNode> {
  readonly label: string
  readonly nodes: readonly Node[]
  readonly open: ReadonlySet<string>
  readonly selected: string | null
  readonly onToggle: (id: string, isOpen: boolean) => void
  readonly onSelect: (node: Node) => void
  /** Handles keys that the tree does not use, for example Alt with arrows to move a node. True: handled. */
  readonly onKey?: (event: KeyboardEvent, row: TreeRow<Node>) => boolean
  /** Rows can be dragged. */
  readonly drop?: TreeDrop | undefined
  /** Stands at the end of a row: counts. */
  readonly aside?: (node: Node) => ComponentChildren
}

export function Tree<Node extends TreeNode>(props: TreeProps<Node>) {
  const { nodes, open, selected, onToggle, onSelect } = props
  const tree = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  const dragOf = useTreeDrag(props.drop)
  const rows = treeRows(nodes, open)
  const current = rows.find(({ node }) => node.id === selected) ?? rows[0]
  useLayoutEffect(() => {
    if (hasFocus.current) tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [selected])
  const onKeyDown = (event: KeyboardEvent) => {
    if (current === undefined || props.onKey?.(event, current) === true || event.altKey || event.ctrlKey) return
    const step = treeStep(event.key, current.node.id, rows)
    if (step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if ('move' in step) onSelect(rows.find(({ node }) => node.id === step.move)!.node)
    else onToggle(current.node.id, 'open' in step)
  }
  return (
    <div
      ref={tree}
      class="tree"
      role="tree"
      tabIndex={-1}
      aria-label={props.label}
      onKeyDown={onKeyDown}
      onFocusIn={() => (hasFocus.current = true)}
      onFocusOut={() => (hasFocus.current = false)}
    >
      {rows.map((row) => (
        <div
          key={row.node.id}
          {...dragOf(row.node.id)}
          role="treeitem"
          class="tree-row"
          aria-level={row.level}
          aria-posinset={row.place}
          aria-setsize={row.siblings}
          aria-expanded={row.node.children.length === 0 ? undefined : row.isOpen}
          aria-selected={row.node.id === selected}
          tabIndex={row === current ? 0 : -1}
          style={{ paddingInlineStart: `${(row.level - 1) * 16 + 4}px` }}
          onClick={() => onSelect(row.node)}
        >
          <span
            class="tree-toggle"
            aria-hidden="true"
            onClick={(event) => {
              if (row.node.children.length === 0) return
              event.stopPropagation()
              onToggle(row.node.id, !row.isOpen)
            }}
          >
            {row.node.children.length > 0 && <Icon name={row.isOpen ? 'down' : 'right'} />}
          </span>
          <span class="grow" dir="auto">
            {row.node.name}
          </span>
          {props.aside?.(row.node)}
        </div>
      ))}
    </div>
  )
}
