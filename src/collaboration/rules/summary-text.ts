// The text of a summary, plain and as HTML. Contract 5 §7. Pure: names and labels are looked up before.
import { shorten } from '../../kernel/errors.ts'
import { escapeHtml } from '../../kernel/text.ts'
import type { NoticeKind } from './notice.ts'
import { fill, fillCounted, type SummaryWords } from './summary-words.ts'

/** Items of one summary. */
export const MAX_ITEMS = 50
const MAX_LABEL = 120

export interface SummaryItem {
  readonly kind: NoticeKind
  /** null: the server, or a person that is gone. */
  readonly by: string | null
  /** The label of the record, or the name of the job; null: several records. */
  readonly label: string | null
  /** The number of records. */
  readonly count: number
  /** null: none. */
  readonly dueOn: string | null
  /** Below the address of the server; null: nothing to open. */
  readonly path: string | null
}

interface Summary {
  readonly name: string
  readonly words: SummaryWords
  /** Assignments whose day comes or is over. */
  readonly work: readonly SummaryItem[]
  readonly news: readonly SummaryItem[]
  /** Items beyond `MAX_ITEMS`. */
  readonly more: number
  /** The address of the server; null: it does not know its own. */
  readonly publicUrl: string | null
}

interface SummaryText {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly settingsUrl: string | null
}

const SETTINGS_PATH = '/console/account'

export function writeSummary(summary: Summary): SummaryText {
  const { words } = summary
  const count = summary.work.length + summary.news.length + summary.more
  const parts = [
    { title: words.work, items: summary.work },
    { title: words.news, items: summary.news },
  ].filter(({ items }) => items.length > 0)
  const sections = parts.map(({ title, items }) => ({
    title,
    lines: items.map((item) => ({ text: lineOf(item, words), url: urlOf(summary, item.path) })),
  }))
  const more = summary.more === 0 ? [] : [fillCounted(words, words.more, summary.more)]
  return write(fillCounted(words, words.subject, count), { ...summary, sections, more })
}

/** The trial message, by which an administrator sees that messages arrive. */
export function writeTrial(to: Pick<Summary, 'name' | 'words' | 'publicUrl'>): SummaryText {
  const { trial } = to.words
  return write(trial.subject, { ...to, sections: [], more: [trial.text] })
}

interface Page extends Pick<Summary, 'name' | 'words' | 'publicUrl'> {
  readonly sections: readonly {
    readonly title: string
    readonly lines: readonly { readonly text: string; readonly url: string | null }[]
  }[]
  readonly more: readonly string[]
}

function write(subject: string, page: Page): SummaryText {
  const { words } = page
  const settingsUrl = urlOf(page, SETTINGS_PATH)
  const hello = fill(words.hello, { name: isolate(page.name) })
  const texts = page.sections.map(({ title, lines }) =>
    [title, ...lines.flatMap(({ text, url }) => [`- ${text}`, ...(url === null ? [] : [`  ${url}`])])].join('\n'),
  )
  const off = settingsUrl === null ? words.offInConsole : `${words.off}\n${settingsUrl}`
  return {
    subject,
    text: `${[hello, ...texts, ...page.more, `-- \n${off}`].join('\n\n')}\n`,
    html: htmlOf(subject, page, hello, settingsUrl),
    settingsUrl,
  }
}

function htmlOf(subject: string, { words, sections, more }: Page, hello: string, settingsUrl: string | null): string {
  const parts = sections.map(({ title, lines }) => {
    const items = lines.map(({ text, url }) => `<li>${url === null ? escapeHtml(text) : linkTo(url, text)}</li>`)
    return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`
  })
  const off =
    settingsUrl === null
      ? escapeHtml(words.offInConsole)
      : `${escapeHtml(words.off)} ${linkTo(settingsUrl, settingsUrl)}`
  const body = [
    `<p>${escapeHtml(hello)}</p>`,
    ...parts,
    ...more.map((text) => `<p>${escapeHtml(text)}</p>`),
    `<hr><p>${off}</p>`,
  ]
  const head = `<meta charset="utf-8"><title>${escapeHtml(subject)}</title>`
  return `<!doctype html><html lang="${words.language}"><head>${head}</head><body>${body.join('')}</body></html>\n`
}

function lineOf({ kind, by, label, count, dueOn }: SummaryItem, words: SummaryWords): string {
  const told = {
    by: by === null ? words.somebody : isolate(by),
    what: label === null ? fillCounted(words, words.records, count) : isolate(label),
    day: dueOn === null ? '' : dayIn(words, dueOn),
  }
  if (kind === 'overdue') return fill(words.overdue, told)
  return fill(kind === 'dueTomorrow' ? words.due : words.notices[kind], told)
}

function dayIn({ language }: SummaryWords, day: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
}

function urlOf({ publicUrl }: Pick<Summary, 'publicUrl'>, path: string | null): string | null {
  return publicUrl === null || path === null ? null : publicUrl + path
}

/** One line of limited length, whose characters do not change the direction of the text around it. */
function isolate(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029\u2066-\u2069\u202a-\u202e]+/gu, ' ').trim()
  return `\u2068${shorten(line, MAX_LABEL).toWellFormed()}\u2069`
}

function linkTo(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`
}
