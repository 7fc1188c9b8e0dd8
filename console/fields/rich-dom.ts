// Converts formatted texts between the page and their tree.
import { LINK, type RichNode, type RichTag, SAME } from '../../src/core/values/rich-markup.ts'

/** Returns the tree below an element of the page; unknown elements are replaced by their content. */
export function readDom(parent: Node): RichNode[] {
  return [...parent.childNodes].flatMap((node): RichNode[] => {
    if (node.nodeType === 3) return node.textContent === '' ? [] : [node.textContent ?? '']
    const tag = SAME.get(node.nodeName.toLowerCase())
    const children = readDom(node)
    if (tag === undefined) return children
    const href = tag === 'a' ? ((node as Element).getAttribute('href') ?? '') : undefined
    if (href !== undefined && !LINK.test(href)) return children
    if (tag === 'p' && children.some(isBlock)) return parted(children)
    return [{ tag, ...(href === undefined ? {} : { href }), children }]
  })
}

const BLOCKS: ReadonlySet<RichTag> = new Set(['p', 'h2', 'h3', 'h4', 'ul', 'ol'])

function isBlock(node: RichNode): boolean {
  return typeof node !== 'string' && BLOCKS.has(node.tag)
}

/** Moves lists out of paragraphs: browsers put them there, which HTML forbids. */
function parted(nodes: readonly RichNode[]): RichNode[] {
  const found: RichNode[] = []
  let run: RichNode[] = []
  for (const node of [...nodes, undefined]) {
    if (node !== undefined && !isBlock(node)) {
      run.push(node)
      continue
    }
    if (run.length > 0) found.push({ tag: 'p', children: run })
    run = []
    if (node !== undefined) found.push(node)
  }
  return found
}

export function makeDom(nodes: readonly RichNode[], page: Document): (Node | string)[] {
  return nodes.map((node) => {
    if (typeof node === 'string') return node
    const element = page.createElement(node.tag)
    if (node.href !== undefined) element.setAttribute('href', node.href)
    element.append(...makeDom(node.children, page))
    return element
  })
}
