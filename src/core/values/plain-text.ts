// The text of HTML, as a reader sees it. Home of htmlparser2: its tokenizer, since its parser takes time that grows with the
// square of the depth of elements.
import { Tokenizer } from 'htmlparser2'

/** Elements that begin a line of their own. */
const BLOCKS = new Set(
  (
    'address article aside blockquote br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr li main nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
)
const CELLS = new Set(['td', 'th'])
/** Elements whose text nobody sees. */
const UNSEEN = new Set(['script', 'style', 'title'])

const MARKUP = /<[A-Za-z!/?]|&(?:#|[A-Za-z])/

/** A text without markup is only trimmed. Of HTML, each block is a line. */
export function plainText(html: string): string {
  if (!MARKUP.test(html)) return html.trim()
  const lines = new Lines()
  let unseen: string | undefined
  const tag = (start: number, end: number, isOpen: boolean): void => {
    const name = html.slice(start, end).toLowerCase()
    if (UNSEEN.has(name)) unseen = isOpen ? name : undefined
    if (BLOCKS.has(name)) lines.break()
    else if (CELLS.has(name)) lines.add(' ')
  }
  const tokenizer = new Tokenizer(
    {},
    {
      ...NOTHING,
      onopentagname: (start, end) => tag(start, end, true),
      onclosetag: (start, end) => tag(start, end, false),
      ontext: (start, end) => {
        if (unseen === undefined) lines.add(html.slice(start, end))
      },
      ontextentity: (codepoint) => {
        if (unseen === undefined) lines.add(String.fromCodePoint(codepoint))
      },
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return lines.text
}

const ignore = (): void => undefined
const NOTHING = {
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
  onattribname: ignore,
  oncdata: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
}

/** Collects text as browsers show it: white space is one space, or none at the ends of lines. */
class Lines {
  text = ''
  /** The white space before the next word. */
  #gap: '' | ' ' | '\n' = ''

  add(part: string): void {
    const text = part.replaceAll(/\s+/g, ' ')
    const word = text.trim()
    if (text.startsWith(' ')) this.#widen(' ')
    if (word === '') return
    this.text += (this.text === '' ? '' : this.#gap) + word
    this.#gap = text.endsWith(' ') ? ' ' : ''
  }

  break(): void {
    this.#widen('\n')
  }

  #widen(gap: ' ' | '\n'): void {
    if (this.#gap !== '\n') this.#gap = gap
  }
}
