// Simple HTML as a tree, and a tree as HTML: paragraphs, headings, lists, strong, emphasis and links. Other HTML has no
// tree, so that an editor never loses a part of it. Nothing is parsed as a page.
import { decodeEntities } from './html-entities.ts'

export interface RichElement {
  readonly tag: RichTag
  /** The address of a link; absent on other elements. */
  readonly href?: string
  readonly children: readonly RichNode[]
}
export type RichNode = string | RichElement

const TAGS = ['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em', 'u', 'a', 'br'] as const
export type RichTag = (typeof TAGS)[number]
/** Tags that mean the same. */
export const SAME: ReadonlyMap<string, RichTag> = new Map<string, RichTag>([
  ...TAGS.map((tag) => [tag, tag] as const),
  ['b', 'strong'],
  ['i', 'em'],
  ['div', 'p'],
])
/** Schemes of links that people follow. */
export const LINK = /^(?:https?:|mailto:|tel:|\/(?!\/)|#)/i
/** Elements within elements: the functions below call themselves for each. */
const MAX_DEPTH = 50
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+="[^"<>]*")*)\s*(\/?)>|(<)(?=[a-z!/?])|[^<]+|</giu

/** Undefined: the HTML has more than the tree can hold. */
export function parseRich(html: string): RichNode[] | undefined {
  const root: RichNode[] = []
  const open: { readonly name: string; readonly into: RichNode[] }[] = [{ name: '', into: root }]
  for (const [token, slash, name = '', attributes = '', , unknown] of html.matchAll(TOKEN)) {
    const { name: current, into } = open.at(-1)!
    if (name === '') {
      // A sign that begins no known tag.
      if (unknown !== undefined) return undefined
      into.push(decodeEntities(token))
      continue
    }
    const tag = SAME.get(name.toLowerCase())
    if (tag === undefined) return undefined
    if (slash === '/') {
      if (tag === 'br' || current !== tag) return undefined
      open.pop()
      continue
    }
    const href = hrefIn(tag, attributes)
    if (href === null) return undefined
    const children: RichNode[] = []
    into.push({ tag, ...(href === undefined ? {} : { href }), children })
    if (tag !== 'br') open.push({ name: tag, into: children })
    if (open.length > MAX_DEPTH) return undefined
  }
  return open.length === 1 ? root : undefined
}

/** Undefined: no attribute; null: an attribute that the tree cannot hold. */
function hrefIn(tag: RichTag, attributes: string): string | undefined | null {
  if (attributes.trim() === '') return tag === 'a' ? null : undefined
  const [, href] = /^\s+href="([^"]*)"$/i.exec(attributes) ?? []
  if (tag !== 'a' || href === undefined) return null
  const address = decodeEntities(href)
  return LINK.test(address) ? address : null
}

export function writeRich(nodes: readonly RichNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? escapeText(node) : writeElement(node))).join('')
}

function writeElement({ tag, href, children }: RichElement): string {
  if (tag === 'br') return '<br>'
  return `<${tag}${href === undefined ? '' : ` href="${escapeText(href).replaceAll('"', '&quot;')}"`}>${writeRich(children)}</${tag}>`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00A0', '&nbsp;')
}
