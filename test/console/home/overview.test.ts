// The searches of home.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseSchema, shownMatrix, tasksFor } from '../../../console/home/overview.ts'
import { matrixOf } from '../../../src/statistics/rules/completeness-matrix.ts'
import { workspaceOf } from '../../../console/state/model.ts'
import type { Endpoints } from '../../../console/api/types.ts'
import { ME, SEEN_MODEL } from '../seen-model.ts'

type SeenModel = Endpoints['GET /api/v1/me/model']['reply']

function matrixFor(change: (model: SeenModel) => SeenModel = (model) => model) {
  const { model, schemas, workflows } = workspaceOf(ME, change(structuredClone(SEEN_MODEL)))
  return matrixOf(schemas.get('sch-tea')!.rules, workflows.get('wf-tea')!, model)
}

const withSchema = (change: (schema: SeenModel['schemas'][number]) => object) => (model: SeenModel) => ({
  ...model,
  schemas: model.schemas.map((schema) => ({ ...schema, ...change(schema) })),
})

describe('The matrix of home', () => {
  it('asks by the dimension of what is required, for the state that only complete records reach', () => {
    const matrix = matrixFor()!
    assert.deepEqual([matrix.stateId, matrix.columns, matrix.rows], ['sold', ['en', 'de'], ['']])
    assert.deepEqual(matrix.cells[0]![1], {
      scope: { language: 'de' },
      complete: [{ field: 'completeness', scope: { language: 'de' }, stateId: 'sold', operator: 'equals', value: 100 }],
      lacking: [{ field: 'completeness', scope: { language: 'de' }, stateId: 'sold', operator: 'lt', value: 100 }],
    })
  })

  it('has rows where a second dimension is required, and no cell for what does not count', () => {
    const matrix = matrixFor(
      withSchema(({ attributes }) => ({
        attributes: attributes.map((one) => ({ ...one, requiredInStateIds: ['sold'] })),
        combinations: [{ language: 'de', market: 'eu' }, { language: 'en' }],
      })),
    )!
    assert.deepEqual(
      [matrix.rows, matrix.columns],
      [
        ['eu', 'us'],
        ['en', 'de'],
      ],
    )
    assert.deepEqual(
      matrix.cells.map((row) => row.map((cell) => cell !== null)),
      [
        [true, true],
        [true, false],
      ],
    )
  })

  it('H2 has at most 24 cells, and says of how many', () => {
    const matrix = matrixFor((model) => {
      const [language, market] = model.dimensions
      const segments = Array.from({ length: 10 }, (_, index) => ({ id: `s${index}`, name: `s${index}` }))
      const dimensions = [
        { ...language!, segments },
        { ...market!, segments },
      ]
      const scoped = withSchema(({ attributes }) => ({
        attributes: attributes.map((one) => ({ ...one, requiredInStateIds: ['sold'] })),
      }))
      return scoped({ ...model, dimensions })
    })!
    assert.deepEqual([matrix.columns.length, matrix.rows.length, matrix.total], [10, 2, 100])
  })

  it('is one cell without dimensions, and none where nothing is required', () => {
    const bare = matrixFor(
      withSchema(({ attributes }) => ({ attributes: attributes.map((one) => ({ ...one, dimensionIds: [] })) })),
    )!
    assert.deepEqual(
      bare.cells.flat().map((cell) => cell?.scope),
      [{}],
    )
    const without = withSchema(({ attributes }) => ({
      attributes: attributes.map((one) => ({ ...one, requiredInStateIds: [] })),
    }))
    assert.equal(matrixFor(without), undefined)
  })
})

describe('The shown matrix', () => {
  const cellsOf = (count: number) => Array.from({ length: count }, () => ({ scope: {}, complete: [], lacking: [] }))

  it('stands as the model has it while it is narrow', () => {
    const matrix = { columns: ['en', 'de'], rows: ['eu'], cells: [cellsOf(2)] }
    const { isTurned, heads, lines } = shownMatrix(matrix, [[9, 1]])
    assert.deepEqual([isTurned, heads, lines.map(({ id }) => id)], [false, ['en', 'de'], ['eu']])
  })

  it('turns where it is wide, with the worst segment first', () => {
    const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const { isTurned, heads, lines } = shownMatrix({ columns, rows: ['eu'], cells: [cellsOf(7)] }, [
      [7, 6, 5, 4, 3, 2, 1],
    ])
    assert.deepEqual([isTurned, heads], [true, ['eu']])
    assert.equal(lines.map(({ id }) => id).join(''), 'gfedcba')
    assert.equal(lines[0]!.cells[0]!.count, 1)
  })
})

describe('What waits for a user', () => {
  it('are the transitions onward that the role may take; with a gate, of complete records', () => {
    const workflow = workspaceOf(ME, SEEN_MODEL).workflows.get('wf-tea')!
    assert.deepEqual(
      tasksFor('role-editor', workflow).map(({ transition: { id, fromStateId }, where }) => [
        id,
        fromStateId,
        where.length,
      ]),
      [
        ['submit', 'draft', 0],
        ['sell', 'review', 1],
      ],
    )
    assert.deepEqual(tasksFor('role-viewer', workflow), [])
  })

  it('is shown of the schema that is asked for, else of the last, else of the first', () => {
    const schemas = [{ id: 'a' }, { id: 'b' }]
    assert.equal(chooseSchema(schemas, 'b', 'a')?.id, 'b')
    assert.equal(chooseSchema(schemas, 'gone', 'b')?.id, 'b')
    assert.equal(chooseSchema(schemas, undefined, 7)?.id, 'a')
    assert.equal(chooseSchema([], 'a'), undefined)
  })
})
