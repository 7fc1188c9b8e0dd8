// Plain texts: `text`, `richText` as its source, `url`; `reference`, the ID of a record; and `references`, several IDs.
import type { Field } from './field.ts'
import { textOfHtml } from './rich-text.ts'

/** A long text is cut to this length in one line, to keep the DOM small. */
const SHOWN_CHARACTERS = 300

/** Removes line ends, and cuts the text; control characters are shown as visible signs. */
export function oneLine(text: string): string {
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : text
  return cut.replace(/[\r\n\t]+/g, ' ').replace(/[\u0000-\u001F\u007F-\u009F]/g, '\u{FFFD}')
}

function textField(editor: Field['editor']): Field {
  return {
    editor,
    align: 'start',
    show: (value) => oneLine(String(value)),
    write: (value) => String(value),
    read: (text) => ({ value: text === '' ? null : text }),
  }
}

/** A text field that ignores surrounding spaces. */
function wordField(editor: Field['editor']): Field {
  return { ...textField(editor), read: (text) => ({ value: text.trim() === '' ? null : text.trim() }) }
}

export const text = textField('lines')
export const richText: Field = { ...textField('lines'), show: (value) => oneLine(textOfHtml(String(value))) }
export const url = wordField('line')
export const reference = wordField('record')

/** References are typed as `a|b|c`, like in cells of files. Other separators that no ID contains are also read. */
export const references: Field = {
  editor: 'line',
  align: 'start',
  show: (value) => oneLine((value as readonly string[]).join(', ')),
  write: (value) => (value as readonly string[]).join('|'),
  read: (text) => {
    const ids = text.split(/[|;,\s]+/).filter((id) => id !== '')
    return { value: ids.length === 0 ? null : [...new Set(ids)] }
  },
}
