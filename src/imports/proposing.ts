// Reads the beginning of a kept file, and proposes a model for it. Contract 5 §1.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../core/accounts/caller.ts'
import { hasPermission } from '../core/accounts/rules/permissions.ts'
import type { CsvCell } from '../core/csv/csv-cell.ts'
import type { Decimal } from '../core/csv/source-dialect.ts'
import { conflict, notFound, shorten } from '../kernel/errors.ts'
import type { Store } from '../store/port.ts'
import { readFileRows } from './file-rows.ts'
import type { ImportFiles } from './readers/import-files.ts'
import { assertMayWriteRecords } from './rules/import-rights.ts'
import type { ImportUpload } from './rules/import-upload.ts'
import { ColumnCounter, MAX_SAMPLE_LENGTH, newMemory } from './rules/proposal/column-facts.ts'
import { type CountedFile, decimalOf, proposalOf } from './rules/proposal/first-proposal.ts'
import { mappingOf, type Proposal, type ProposedMapping } from './rules/proposal/proposal.ts'
import { proposeColumns } from './rules/proposal/proposed-columns.ts'
import { findRows } from './upload-views.ts'

/** Cells that a proposal looks at, and rows at least. */
const MAX_CELLS = 200_000
const MIN_ROWS = 200
/** Cells that are counted before the event loop gets a turn: a cell takes a millisecond at most. */
const CELLS_OF_TURN = 8
/** Texts of rows with one filled cell. */
const MAX_LONE_SAMPLES = 3
/** Keeps the cells as they are in the file. */
const UNREAD = '.'

interface ProposingDeps {
  readonly store: Store
  readonly importFiles: ImportFiles
}

type Proposed = Proposal & { readonly mapping: ProposedMapping }

export function createProposalService({ store, importFiles }: ProposingDeps) {
  /** One file is read at a time, since the counts of many columns take memory. */
  let last: Promise<unknown> = Promise.resolve()
  return {
    /**
     * @throws NOT_FOUND, CONFLICT for a file without columns, PERMISSION_DENIED; VALIDATION_ERROR for a file that cannot be
     * read; UNAVAILABLE
     */
    async propose(caller: Caller, id: string, decimal: Decimal | undefined, signal: AbortSignal): Promise<Proposed> {
      assertMayWriteRecords(caller.role)
      const upload = await findRows(store.read, caller, id)
      if (upload.format === 'zip' || upload.format === 'ndjson')
        throw conflict(`The import '${id}' has no columns: a model is proposed for a csv or xlsx`)
      if (!(await importFiles.has(id))) throw notFound('The file of the import', id)
      const mayCategorise = hasPermission(caller.role, 'categories.write')
      const count = last.then(() => countColumns(importFiles, upload, { asked: decimal, mayCategorise }, signal))
      last = count.catch(() => undefined)
      const counted = await count
      const catalogs = mayCategorise ? await store.read.catalogs.list() : undefined
      const proposal = proposalOf(upload.fileName, counted, { model: await store.read.model(), catalogs })
      await nextTurn()
      return { ...proposal, mapping: mappingOf(proposal) }
    },
  }
}

async function countColumns(
  files: ImportFiles,
  upload: ImportUpload,
  { asked, mayCategorise }: { readonly asked: Decimal | undefined; readonly mayCategorise: boolean },
  signal: AbortSignal,
): Promise<CountedFile> {
  const memory = newMemory()
  let headers: readonly string[] = []
  let counters: ColumnCounter[] = []
  let rows = 0
  const lone = { rows: 0, samples: new Array<string>() }
  let isWhole = true
  for await (const { line } of readFileRows(files, { ...upload, decimal: upload.decimal && UNREAD }, signal)) {
    if (line.kind === 'header') {
      headers = line.names
      counters = headers.map(() => new ColumnCounter(memory, upload.delimiter ?? ','))
    }
    if (line.kind !== 'row') continue
    rows += 1
    noteLoneCell(lone, headers, line.cells)
    for (const [index, counter] of counters.entries()) {
      counter.add(line.cells[index] ?? null)
      // One row may be a megabyte of lists.
      if (index % CELLS_OF_TURN === CELLS_OF_TURN - 1) await nextTurn()
    }
    isWhole = !(rows >= MIN_ROWS && rows * counters.length >= MAX_CELLS)
    if (!isWhole) break
  }
  await nextTurn()
  const said = asked ?? (upload.isDecimalSaid === true ? upload.decimal : null)
  const decimal = upload.format === 'csv' ? (said ?? decimalOf(upload.delimiter, counters)) : null
  const columns = headers.map((header, index) => ({ header, facts: counters[index]!.facts(decimal ?? '.') }))
  return { rows, isWhole, loneCells: lone, decimal, columns: proposeColumns(columns, rows, mayCategorise) }
}

/** A row with one filled cell is hardly a product, but a footnote or a title within the table. */
function noteLoneCell(
  lone: { rows: number; readonly samples: string[] },
  { length }: readonly string[],
  cells: readonly CsvCell[],
): void {
  const texts = cells.map((cell) => String(cell ?? '').trim()).filter((text) => text !== '')
  if (texts.length !== 1 || length < 3) return
  lone.rows += 1
  if (lone.samples.length < MAX_LONE_SAMPLES) lone.samples.push(shorten(texts[0]!, MAX_SAMPLE_LENGTH))
}
