// Each field of each form explains itself in a sentence, unless its label says everything.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { hintWords as de } from '../../../console/words/de/hints.ts'
import { hintWords as en } from '../../../console/words/en/hints.ts'
import { hintWords as fr } from '../../../console/words/fr/hints.ts'

const CONSOLE = path.resolve(import.meta.dirname, '../../../console')

/** Labels that say everything, or that are a sentence themselves. */
const CLEAR = new Set([
  'name',
  'account.language',
  'account.theme',
  'account.current',
  'account.again',
  'exports.status',
  'form.newName',
  'exports.onDay',
  'exports.atMinute',
  'form.description',
  'signIn.username',
  'signIn.password',
  'noValue',
  'talk.show',
  'records.columnsFind',
  'records.height',
  'record.findField',
  'model.findAttribute',
  'sheets.allLinks',
  'proposal.required',
  'proposal.unique',
])
/** Fields in rows whose head, or whose place, explains them; and names that users gave. */
const ROWS = new Map([
  ['categories/category-view.tsx', 'a switch without a label'],
  ['categories/name-dialog.tsx', 'names in languages'],
  ['charts/lines.tsx', 'names of scopes'],
  ['events/subscription-form.tsx', 'events by name'],
  ['exports/column-fields.tsx', 'parts of one column'],
  ['kit/names-field.tsx', 'names of headers'],
  ['exports/schedule-field.tsx', 'parts of a schedule'],
  ['filters/filter-fields.tsx', 'values and bounds'],
  ['imports/proposed-rows.tsx', 'columns of the file'],
  ['imports/step-field.tsx', 'parts of one step'],
  ['model/groups.tsx', 'names of groups'],
  ['model/named-list.tsx', 'names and IDs of a list'],
  ['model/rule-fields.tsx', 'bounds by name'],
  ['pictures/picture-details.tsx', 'texts of a picture'],
  ['talk/notice-settings.tsx', 'kinds of notices'],
  ['sheet-tools/column-list.tsx', 'names of columns'],
])
/** Composed of other fields, which the test sees themselves; or fields of a record, explained by their attribute. */
const COMPOSED =
  /^(?:Record|Rich|Value|Translated|Selection|Sort|Schedule|Times|Making|Join|Step|Columns|Element|Template|Criteria|Decimal)Field$/

interface SeenField {
  readonly file: string
  readonly tag: string
}

/** The opening tags of fields; an attribute may have a function, so the end is counted by braces. */
function fieldsOf(file: string): SeenField[] {
  const text = readFileSync(path.join(CONSOLE, file), 'utf8')
  return [...text.matchAll(/<(\w*Field|Checkbox|TextArea|Segmented)\b/g)].flatMap(({ index, 1: name }) => {
    let depth = 0
    let end = index
    for (; text[end] !== '>' || depth > 0 || text[end - 1] === '='; end += 1) {
      if (text[end] === '{') depth += 1
      if (text[end] === '}') depth -= 1
    }
    return COMPOSED.test(name!) ? [] : [{ file, tag: text.slice(index, end) }]
  })
}

const isExplained = (tag: string): boolean => tag.includes('hint=') || tag.includes('{...hinted(')

const fields = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) => fieldsOf(file))
  .filter(({ tag }) => tag.includes('label=') || isExplained(tag))

const labelOf = (tag: string): string | undefined => /label=\{[^}]*?t\('([\w.]+)'/.exec(tag)?.[1]

describe('A field of a form', () => {
  it('explains itself in a sentence, or has a label that says everything', () => {
    assert.ok(fields.length > 150, String(fields.length))
    const silent = fields
      .filter(({ tag }) => !isExplained(tag) && !tag.includes('{...props}'))
      .filter(({ file, tag }) => !CLEAR.has(labelOf(tag) ?? '') && !ROWS.has(file))
    assert.deepEqual(silent, [])
  })

  it('has no exception that nothing needs', () => {
    const silent = fields.filter(({ tag }) => !isExplained(tag))
    const labels = new Set(silent.map(({ tag }) => labelOf(tag)))
    assert.deepEqual(
      [...CLEAR].filter((key) => !labels.has(key)),
      [],
    )
    const files = new Set(silent.map(({ file }) => file))
    assert.deepEqual(
      [...ROWS.keys()].filter((file) => !files.has(file)),
      [],
    )
  })

  it('has one sentence of at most twenty words in each language', () => {
    for (const words of [en, de, fr])
      for (const [key, text] of Object.entries(words)) {
        assert.match(text, /^\S.*[.…]$/u, key)
        assert.ok(text.split(/\s+/u).filter((word) => /\p{L}/u.test(word)).length <= 20, `${key}: ${text}`)
      }
  })
})
