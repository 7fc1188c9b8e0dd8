// The HTML of product sheets: one page that needs nothing else, made for print. All that people typed is text here, never
// markup. Contract 5 §4.
import { createHash } from 'node:crypto'
import type { RichElement, RichNode } from '../../core/values/rich-markup.ts'
import type { SheetLanguage } from './sheet-values.ts'
import type { PAPERS, PICTURE_SIZES } from './sheet-limits.ts'

export interface SheetRow {
  readonly label: string
  readonly text: string
  /** The same text with its formats. With it, the page shows this instead of `text`. */
  readonly markup?: readonly RichNode[] | undefined
}

export interface SheetSection {
  readonly heading: string
  readonly rows: readonly SheetRow[]
}

export interface SheetArticle {
  readonly heading: string
  readonly title: string
  /** A quiet line below the title. */
  readonly subtitle: string
  readonly footer: string
  readonly sections: readonly SheetSection[]
}

/** The look that all records of a page share. */
export interface SheetLook {
  readonly language: SheetLanguage
  readonly paper: (typeof PAPERS)[number]
  readonly pictureSize: (typeof PICTURE_SIZES)[number]
}

const STYLE = `
:root { color-scheme: light; font: 11pt/1.45 system-ui, "Segoe UI", "Noto Sans", sans-serif; color: #1c1c1a; background: #ecebe8 }
* { box-sizing: border-box }
body { margin: 0 }
article { background: #fff; max-width: 210mm; margin: 8mm auto; padding: 16mm 18mm; box-shadow: 0 1px 6px #0003 }
.heading { margin: 0 0 2mm; color: #55544f; font-size: .9em }
h1 { margin: 0; font-size: 1.9em; line-height: 1.2; overflow-wrap: anywhere }
.subtitle { margin: 1mm 0 0; color: #55544f; font-size: .9em; overflow-wrap: anywhere }
.pictures { display: flex; flex-wrap: wrap; gap: 5mm; margin: 7mm 0 0; align-items: flex-start }
figure { margin: 0; min-width: 0 }
img { display: block; max-width: 100%; height: auto; object-fit: contain }
.small img { max-height: 35mm }
.medium img { max-height: 70mm }
.large img { max-height: 120mm }
section { margin: 7mm 0 0 }
h2 { margin: 0 0 1.5mm; font-size: 1.05em; break-after: avoid }
table { border-collapse: collapse; width: 100%; table-layout: fixed }
th, td { border-top: 1px solid #d8d6d0; padding: 1.6mm 0; text-align: start; vertical-align: top; overflow-wrap: anywhere }
th { width: 32%; padding-inline-end: 5mm; font-weight: 400; color: #55544f }
td { white-space: pre-line }
.rich { white-space: normal }
.rich > * { margin: 0 0 1.5mm; font-size: 1em }
.rich > :last-child { margin: 0 }
.rich :is(ul, ol) { padding-inline-start: 5mm }
tr { break-inside: avoid }
.footer { margin: 8mm 0 0; padding-top: 3mm; border-top: 1px solid #8a8880; color: #55544f; font-size: .85em; white-space: pre-line; overflow-wrap: anywhere }
@media (max-width: 640px) { article { margin: 0; padding: 6mm 5mm; box-shadow: none } th { width: 40% } }
@media print {
  :root { background: none; font-size: 10pt }
  article { margin: 0; padding: 0; max-width: none; box-shadow: none }
  article + article { break-before: page }
}
`
const PAGES = {
  A4: '@page { size: A4; margin: 18mm }',
  letter: '@page { size: letter; margin: 0.7in }',
} as const
const styleOf = (paper: keyof typeof PAGES): string => `${STYLE}${PAGES[paper]}`
const hashOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** Pictures inside the page, and its one style: no script, no other address. */
export const SHEET_POLICY =
  `default-src 'none'; img-src data:; style-src ${hashOf(styleOf('A4'))} ${hashOf(styleOf('letter'))}; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function openPage(title: string, { language, paper }: SheetLook): string {
  return (
    `<!doctype html>\n<html lang="${escapeHtml(language.tag)}" dir="${language.direction}">\n<head>\n<meta charset="utf-8">\n` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="robots" content="noindex, nofollow">\n' +
    `<meta name="referrer" content="no-referrer">\n<title>${escapeHtml(title)}</title>\n<style>${styleOf(paper)}</style>\n` +
    '</head>\n<body>\n<main>\n'
  )
}

export function openArticle({ heading, title, subtitle }: SheetArticle, { pictureSize }: SheetLook): string {
  const above = heading === '' ? '' : `<p class="heading" dir="auto">${escapeHtml(heading)}</p>\n`
  const below = subtitle === '' ? '' : `<p class="subtitle" dir="auto">${escapeHtml(subtitle)}</p>\n`
  return `<article class="${pictureSize}">\n<header>\n${above}<h1 dir="auto">${escapeHtml(title)}</h1>\n${below}</header>\n`
}

/** Returns a picture as an element of the page. @param base64 the bytes of the picture */
export function pictureOf(mediaType: string, base64: string, description: string): string {
  return `<figure><img src="data:${mediaType};base64,${base64}" alt="${escapeHtml(description)}"></figure>\n`
}

/** Yields the rows and the end of an article in parts, so that other requests get a turn between two parts. */
export function* closeArticle({ sections, footer }: SheetArticle): Generator<string, void> {
  for (const section of sections) yield* sectionParts(section)
  const below = footer === '' ? '' : `<p class="footer" dir="auto">${escapeHtml(footer)}</p>\n`
  yield `${below}</article>\n`
}

export const CLOSE_PAGE = '</main>\n</body>\n</html>\n'

/** Characters of labels and texts after which a part ends. */
const PART = 40_000

function* sectionParts({ heading, rows }: SheetSection): Generator<string, void> {
  if (rows.length === 0) return
  const head = heading === '' ? '' : `<h2 dir="auto">${escapeHtml(heading)}</h2>\n`
  let part = `<section>\n${head}<table><tbody>\n`
  let size = 0
  for (const { label, text, markup } of rows) {
    const shown =
      markup === undefined ? ` dir="auto">${escapeHtml(text)}` : ` class="rich" dir="auto">${richOf(markup)}`
    part += `<tr><th scope="row" dir="auto">${escapeHtml(label)}</th><td${shown}</td></tr>\n`
    size += label.length + text.length
    if (size < PART) continue
    yield part
    part = ''
    size = 0
  }
  yield `${part}</tbody></table>\n</section>\n`
}

/** Only an absolute address becomes a link, because a relative one leads nowhere from this page. */
const LINK = /^(?:https?|mailto|tel):/i

function richOf(nodes: readonly RichNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? escapeHtml(node) : elementOf(node))).join('')
}

function elementOf({ tag, href, children }: RichElement): string {
  if (tag === 'br') return '<br>'
  const inside = richOf(children)
  if (tag !== 'a') return `<${tag}>${inside}</${tag}>`
  return LINK.test(href ?? '') ? `<a href="${escapeHtml(href!)}" rel="nofollow noreferrer">${inside}</a>` : inside
}

function escapeHtml(text: string): string {
  return text.toWellFormed().replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
