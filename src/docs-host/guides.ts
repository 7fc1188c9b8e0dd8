// The guides of the documentation as pages: Markdown files of the project, made HTML when they are first read. Home of marked.
import path from 'node:path'
import { Marked, type Tokens } from 'marked'
import { readText, readPages } from '../kernel/executable/assets.ts'
import { escapeHtml } from '../kernel/text.ts'

export interface Guide {
  readonly name: string
  /** The path from the root of the project. */
  readonly file: string
  /** The title in lists of guides. */
  readonly label: string
}

/** In the order of the lists. */
export const GUIDES: readonly Guide[] = [
  { name: 'start', file: 'README.md', label: 'Getting started' },
  { name: 'settings', file: 'docs/settings.md', label: 'Commands and settings' },
  { name: 'console', file: 'docs/console.md', label: 'Console' },
  { name: 'search', file: 'docs/search.md', label: 'Searching' },
  { name: 'bulk', file: 'docs/bulk.md', label: 'Many records' },
  { name: 'files', file: 'docs/files.md', label: 'Files and pictures' },
  { name: 'history', file: 'docs/history.md', label: 'History' },
  { name: 'working-together', file: 'docs/working-together.md', label: 'Working together' },
  { name: 'events', file: 'docs/events.md', label: 'Events' },
  { name: 'import', file: 'docs/import.md', label: 'Importing' },
  { name: 'exports', file: 'docs/exports.md', label: 'Exports' },
  { name: 'feed-google-merchant', file: 'docs/feeds/google-merchant.md', label: 'Google Merchant' },
  { name: 'feed-shopify', file: 'docs/feeds/shopify.md', label: 'Shopify' },
  { name: 'feed-woocommerce', file: 'docs/feeds/woocommerce.md', label: 'WooCommerce' },
  { name: 'destinations', file: 'plugins/README.md', label: 'Destinations' },
  { name: 'destination-s3', file: 'docs/destinations/s3.md', label: 'Amazon S3' },
  { name: 'destination-azure-blob', file: 'docs/destinations/azure-blob.md', label: 'Azure Blob' },
  { name: 'destination-sftp', file: 'docs/destinations/sftp.md', label: 'SFTP' },
  { name: 'destination-webhook', file: 'docs/destinations/webhook.md', label: 'Webhook' },
  { name: 'clients', file: 'docs/clients.md', label: 'Clients' },
  { name: 'contract', file: 'docs/contract.md', label: 'Contract' },
  { name: 'operate', file: 'docs/operate.md', label: 'Operating' },
  { name: 'cluster', file: 'docs/cluster.md', label: 'Several servers' },
  { name: 'performance', file: 'docs/performance.md', label: 'Performance' },
]

/** The page of a guide; undefined for a name that none has. */
export function renderGuide(name: string): string | undefined {
  const guide = GUIDES.find((candidate) => candidate.name === name)
  if (guide === undefined) return undefined
  const parts: Readonly<Record<string, string>> = {
    label: escapeHtml(guide.label),
    list: GUIDES.map((one) => listItem(one, one === guide)).join('\n'),
    content: toHtml(guide),
  }
  return readPages('guides')
    .get('guide.html')!
    .replaceAll(/<!-- (\w+) -->/g, (_, part: string) => parts[part]!)
}

function listItem({ name, label }: Guide, isShown: boolean): string {
  return `<li><a href="/docs/guides/${name}"${isShown ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a></li>`
}

function toHtml({ file }: Guide): string {
  const ids = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const [slug, id] = [slugOf(text), headingId(text, ids)]
        return `<h${depth} id="${id || slug}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens)
        const target = addressOf(href, file)
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`
      },
      // Pictures are for readers on GitHub; here readers have the real pages.
      image: () => '',
      // Focusable, so that it can be scrolled by keyboard.
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    },
  })
  return marked.parse(readText(file), { async: false })
}

/** The address of a link's target in these pages; undefined if the file is not served. */
function addressOf(href: string, file: string): string | undefined {
  if (href.startsWith('#') || /^https?:/.test(href)) return href
  const [target = '', part] = href.split('#')
  const found = GUIDES.find((guide) => guide.file === path.posix.join(path.posix.dirname(file), target))
  return found && `/docs/guides/${found.name}${part === undefined ? '' : `#${part}`}`
}

/** The ID that GitHub gives a heading; links between the files use it. */
function headingId(text: string, ids: Map<string, number>): string {
  const slug = slugOf(text)
  const before = ids.get(slug) ?? 0
  ids.set(slug, before + 1)
  return before === 0 ? slug : `${slug}-${before}`
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}
