// The tables of a workspace on their way from one storage to another, counted and summed up on both sides.
import { StartError } from '../../kernel/machine/start-error.ts'
import { Checksum } from '../../store/moving/checksum.ts'
import { MOVED_TABLES, type MovedTable } from '../../store/moving/tables.ts'
import type { MovedContent, MovingSource, MovingTarget } from '../../store/moving-port.ts'
import type { ShowProgress } from './progress-report.ts'

export interface MovedCount {
  readonly table: string
  readonly rows: number
  /** Equal where the rows are. */
  readonly checksum: string
}

export async function moveTables(
  source: MovingSource,
  target: MovingTarget,
  show: ShowProgress,
): Promise<MovedCount[]> {
  let total = 0
  for (const table of MOVED_TABLES) total += await source.count(table)
  const progress = show({ label: 'migrate', total, unit: 'rows' })
  const moved: MovedCount[] = []
  try {
    for (const table of MOVED_TABLES) {
      const write = async (rows: Parameters<MovingTarget['write']>[1]): Promise<void> => {
        await target.write(table, rows)
        progress.advance(rows.length)
      }
      moved.push(await sumUp(source, table, write))
    }
  } finally {
    progress.stop()
  }
  return moved
}

/** @throws StartError where the target does not hold what the source does */
export async function compareTables(
  moved: readonly MovedCount[],
  target: MovedContent,
  show: ShowProgress,
): Promise<void> {
  const progress = show({ label: 'compare', total: moved.reduce((sum, { rows }) => sum + rows, 0), unit: 'rows' })
  try {
    for (const [index, table] of MOVED_TABLES.entries()) {
      const [is, should] = [await sumUp(target, table, (rows) => progress.advance(rows.length)), moved[index]!]
      if (is.rows === should.rows && is.checksum === should.checksum) continue
      throw new StartError(
        `What was moved is not what was there: the table ${table.name} has ${should.rows} rows with the checksum ${should.checksum}, and ${is.rows} with ${is.checksum} were written. Nothing was changed; see pimlet doctor, and report it`,
      )
    }
  } finally {
    progress.stop()
  }
}

async function sumUp(
  content: MovedContent,
  table: MovedTable,
  take: (rows: Parameters<MovingTarget['write']>[1]) => Promise<void> | void,
): Promise<MovedCount> {
  const checksum = new Checksum()
  for await (const rows of content.rows(table)) {
    checksum.add(rows)
    await take(rows)
  }
  return { table: table.name, rows: checksum.rows, checksum: checksum.sum }
}
