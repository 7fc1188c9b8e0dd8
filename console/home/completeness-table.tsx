// The number of complete records, by scope.
import { Shown } from '../kit/states.tsx'
import { recordsAddress } from '../state/addresses.ts'
import type { Query } from '../state/cache.ts'
import { useConsole, useQuery } from '../state/context.ts'
import type { SeenSchema } from '../state/model.ts'
import type { ChartsPanelProps, Counted } from '../state/panel-props.ts'
import { inTurns } from '../state/turns.ts'
import { percent, t } from '../words/words.ts'
import { type CellAsked, type Matrix, matrixOf } from '../../src/statistics/rules/completeness-matrix.ts'
import { shownMatrix } from './overview.ts'

/** Returns the matrix of a schema; undefined: the schema requires nothing. */
export function useMatrix(schema: SeenSchema): Matrix | undefined {
  const workspace = useConsole().model.workspace.value
  const workflow = workspace?.workflows.get(schema.workflowId)
  return workflow && matrixOf(schema.rules, workflow, workspace!.model)
}

export function useCounts(schema: SeenSchema, matrix: Matrix | undefined): Query<Counted> {
  const { call } = useConsole()
  return useQuery(`home completeness ${schema.id}`, async (signal): Promise<Counted> => {
    const count = async (criteria: readonly object[]) => {
      const body = { criteria, criteriaOperator: 'and', schemaId: schema.id, limit: 1, select: [] } as const
      return (await call('POST /api/v1/search', { body: body as never, signal })).total ?? 0
    }
    const width = matrix?.columns.length ?? 1
    const asked = matrix?.cells.flat() ?? []
    const [total = 0, ...counts] = await inTurns<number | null>(
      [() => count([]), ...asked.map((cell) => async () => (cell === null ? null : count(cell.complete)))],
      2,
    )
    const rows = matrix?.rows.map((_, row) => counts.slice(row * width, (row + 1) * width)) ?? []
    return { total: total ?? 0, cells: rows }
  })
}

export function CompletenessTable({
  schema,
  matrix,
  counts,
}: Pick<ChartsPanelProps, 'matrix' | 'counts'> & Pick<TableProps, 'schema'>) {
  const { model } = useConsole()
  if (matrix === undefined || counts.data.value?.total === 0) return null
  return (
    <section>
      <h2>{t('home.complete', { state: model.stateName(schema.workflowId, matrix.stateId) })}</h2>
      <Shown query={counts}>{(counted) => <MatrixTable schema={schema} matrix={matrix} counted={counted} />}</Shown>
    </section>
  )
}

interface TableProps {
  readonly schema: SeenSchema
  readonly matrix: Matrix
  readonly counted: Counted
}

function MatrixTable({ schema, matrix, counted }: TableProps) {
  const { model } = useConsole()
  const { columnDimensionId, rowDimensionId, columns, rows, total } = matrix
  const { isTurned, heads, lines } = shownMatrix(matrix, counted.cells)
  const [headDimensionId, lineDimensionId] = isTurned
    ? [rowDimensionId, columnDimensionId]
    : [columnDimensionId, rowDimensionId]
  const nameOf = (dimensionId: string | undefined, id: string) =>
    dimensionId === undefined ? t('all') : model.segmentName(dimensionId, id)
  const shown = rows.length * columns.length
  return (
    <div class="scroll">
      <table class="matrix">
        <thead>
          <tr>
            <td>&nbsp;</td>
            {heads.map((id) => (
              <th key={id} scope="col" dir="auto">
                {nameOf(headDimensionId, id)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ id, cells }) => (
            <tr key={id}>
              <th scope="row" dir="auto">
                {nameOf(lineDimensionId, id)}
              </th>
              {cells.map(({ cell, count }, at) => (
                <MatrixCell key={heads[at]} schemaId={schema.id} cell={cell} count={count} total={counted.total} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {total > shown && <p class="hint">{t('home.cut', { count: shown, total })}</p>}
    </div>
  )
}

function MatrixCell(props: {
  readonly schemaId: string
  readonly cell: CellAsked | null
  readonly count: number
  readonly total: number
}) {
  const { model } = useConsole()
  const { schemaId, cell, count, total } = props
  if (cell === null) return <td class="heat quiet">–</td>
  const scope = model.scopeName(cell.scope)
  const share = percent(total === 0 ? 100 : Math.floor((100 * count) / total))
  const lacking = total - count
  return (
    <td class="heat" style={{ '--heat': `${total === 0 ? 100 : Math.floor((100 * count) / total)}%` }}>
      <a href={recordsAddress({ schemaId, where: cell.complete })} title={t('home.cell', { count, total, scope })}>
        {share}
      </a>
      {lacking > 0 && (
        <a
          class="lacking"
          href={recordsAddress({ schemaId, where: cell.lacking })}
          title={t('home.lacking', { count: lacking, scope })}
        >
          {t('home.incomplete', { count: lacking })}
        </a>
      )}
    </td>
  )
}
