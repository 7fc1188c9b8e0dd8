// Rows of spreadsheets that are costly to read. Contract 3 §4.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import type { ImportLine } from '../../../src/imports/rules/import-outcome.ts'
import { readXlsxLines } from '../../../src/imports/readers/xlsx-lines.ts'
import { assertProportional } from '../../helpers/proportion.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { type SheetCell, workbookParts, xlsxFile, zip } from '../../helpers/xlsx-file.ts'

const folder = makeTempDirectory()
let count = 0
async function linesOf(bytes: Buffer, take: (line: ImportLine) => void): Promise<void> {
  const file = path.join(folder, `sheet-${(count += 1)}`)
  writeFileSync(file, bytes)
  for await (const lines of readXlsxLines({ file, sheet: undefined, maxPart: 1e6, maxValues: 1e5 }))
    for (const line of lines) take(line)
}
const COLUMNS = 16_384
/** Rows with a text in the last column that a sheet has. */
const rowsWith = (last: string): SheetCell[][] => [
  ['id', 'text'],
  ...Array.from({ length: 300 }, (_, n): SheetCell[] => [`r${n}`, 'a', ...Array<null>(COLUMNS - 3).fill(null), last]),
]

describe('A sheet', () => {
  it('has rows as wide as its header where empty texts stand far away', async () => {
    const widths = new Set<number>()
    await linesOf(xlsxFile(rowsWith('')), (line) => {
      if (line.kind === 'row') widths.add(line.cells.length)
    })
    assert.deepEqual([...widths], [2])
  })

  it('has rows that are too wide by the cells that they have', async () => {
    const found: unknown[] = []
    await linesOf(xlsxFile(rowsWith('x')), (line) => {
      if (line.kind === 'fault') found.push([line.error.message, line.cells])
    })
    assert.equal(found.length, 300)
    const cells = [
      [0, 'r299'],
      [1, 'a'],
      [COLUMNS - 1, 'x'],
    ]
    assert.deepEqual(found.at(-1), [`The row has ${COLUMNS} cells, and the header has 2`, { width: COLUMNS, cells }])
  })

  it('is read in time in proportion to the paths between its parts', async () => {
    await assertProportional([10_000, 100_000], (steps) => {
      const parts = workbookParts([{ name: 'S', rows: [['id']] }])
      const packed = parts.map((part) => {
        const more = `<Relationship Id="far" Type="a/worksheet" Target="${'../'.repeat(steps)}x"/></Relationships>`
        return part.name === 'xl/_rels/workbook.xml.rels'
          ? { ...part, content: String(part.content).replace('</Relationships>', more) }
          : part
      })
      return linesOf(zip(packed), () => undefined)
    })
  })

  it('is read in time in proportion to the formats of its numbers', async () => {
    await assertProportional([5000, 50_000], (length) => {
      const parts = workbookParts([{ name: 'S', rows: [['id'], [{ days: 46_053 }]] }])
      const styles = parts.find(({ name }) => name === 'xl/styles.xml')!
      const content = String(styles.content).replace('dd\\.mm\\.yyyy', '['.repeat(length))
      return linesOf(zip([...parts.filter((part) => part !== styles), { ...styles, content }]), () => undefined)
    })
  })
})
