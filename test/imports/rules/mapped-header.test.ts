// How a mapping meets the header of a file, with as many columns, steps and options as are allowed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PLAIN_CELLS } from '../../../src/core/csv/csv-header.ts'
import { Schema } from '../../../src/core/model/rules/model.ts'
import { mapHeader } from '../../../src/imports/rules/mapped-header.ts'
import type { ImportColumn } from '../../../src/imports/rules/import-profile.ts'
import { attribute } from '../../helpers/domain-model.ts'
import { threadTime } from '../../helpers/thread-time.ts'

const options = Array.from({ length: 10_000 }, (_, index) => ({ id: `option-${index}`, name: `Option ${index}` }))
const colors = attribute('colors', { dataType: 'multiSelect', options, dimensionIds: ['language'] })
const name = attribute('name', { dimensionIds: ['language'] })
const schema = new Schema({ id: 'sch-1', workflowId: 'wf-1', attributes: [colors, name], combinations: null })
const languages = Array.from({ length: 400 }, (_, index) => `l${index}`)

/** Maps a column for each language, and returns the first row's cells. */
function mapRow(
  headers: string[],
  row: (string | null)[],
  columnOf: (language: string) => ImportColumn,
): readonly unknown[] {
  const started = threadTime()
  const header = mapHeader(headers, { columns: languages.map(columnOf) }, schema, PLAIN_CELLS)
  const cells = header.mapped!.prepare(row)
  assert.ok(threadTime() - started < 2000, `${threadTime() - started} ms`)
  return cells
}

describe('A mapping of many columns', () => {
  it('finds 10,000 options by their names in each of them, with each of its steps', () => {
    const cells = mapRow(
      languages,
      languages.map(() => 'option  7, Option 8'),
      (language) => ({
        header: language,
        to: { attributeAlias: 'colors', scope: { language } },
        with: [{ split: ',' }, ...Array<'optionName'>(9).fill('optionName')],
      }),
    )
    assert.deepEqual([cells.length, cells.at(-1)], [400, 'option-7|option-8'])
  })

  it('joins columns of a wide file in each of its steps', () => {
    const joined = Array.from({ length: 20_000 }, (_, index) => `x${index}`)
    const headers = [...languages, ...joined]
    const cells = mapRow(headers, [...languages, ...joined.map(() => null)], (language) => ({
      header: language,
      to: { attributeAlias: 'name', scope: { language } },
      with: Array.from({ length: 10 }, () => ({ join: { headers: joined.slice(-20), separator: '' } })),
    }))
    assert.deepEqual(cells, languages)
  })
})
