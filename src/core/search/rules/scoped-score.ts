// Scores a record in the combinations that agree with a scope, and finds its missing attributes in them. Contract 3 §1.
import type { Attribute } from '../../model/rules/attributes.ts'
import { mayKnow } from '../../model/rules/hidden-rules.ts'
import type { Schema } from '../../model/rules/model.ts'
import type { Workflow } from '../../model/rules/workflow.ts'
import { type FieldSink, percentageOf, tallyInSteps } from '../../records/rules/completeness.ts'
import { stateToScore } from '../../records/rules/transition.ts'
import { readPrint } from '../../records/rules/score-print.ts'
import { type Grid, NO_GRID, projectOnto } from '../../scopes/grid.ts'
import { restrictScope, type Scope } from '../../scopes/scope.ts'
import type { SearchedRecord, SearchWorld } from './searched-record.ts'

export interface ScopedScore {
  /** 0 to 100. */
  readonly percentage: number
  /** Aliases. */
  readonly missing: ReadonlySet<string>
}

/** Returns the state to score for records in the state `current`; undefined: the workflow lacks this state. */
export function scoredState(
  workflow: Workflow | undefined,
  current: string,
  stateId: string | undefined,
): string | undefined {
  if (workflow === undefined) return undefined
  if (stateId === undefined) return stateToScore(workflow, current)
  return workflow.states.some((state) => state.id === stateId) ? stateId : undefined
}

/** Undefined: the record's workflow lacks the state. */
export function scoreWithin(
  { schema, layers, lifecycleStateId }: SearchedRecord,
  { scope = {}, stateId }: { readonly scope?: Scope | undefined; readonly stateId?: string | undefined },
  { model, role }: SearchWorld,
): ScopedScore | undefined {
  const state = scoredState(model.workflows.get(schema.workflowId), lifecycleStateId, stateId)
  if (state === undefined) return undefined
  const within = new FieldsWithin(cellsWithin(scope))
  tallyInSteps({ layers, schema, model }, state, mayKnow(role, schema.id), within).toArray()
  return within.score()
}

/** Scores records of a schema by their prints (`score-print.ts`), for a state of its workflow. */
export function scoresOfPrints(
  schema: Schema,
  { scope = {}, stateId }: { readonly scope?: Scope | undefined; readonly stateId: string },
  { model, role }: Pick<SearchWorld, 'model' | 'role'>,
): (print: string) => ScopedScore {
  const isKnown = mayKnow(role, schema.id)
  const cellsOf = cellsWithin(scope)
  return (print) => {
    const within = new FieldsWithin(cellsOf)
    for (const { attribute, grid, isRequired, isMissing } of readPrint(print, schema, model))
      if (attribute.requiredInStateIds.includes(stateId) && isKnown(attribute))
        within.add(grid, isRequired, isMissing, attribute)
    return within.score()
  }
}

/** Returns -1 for each cell that does not agree with the scope. */
type CellsOf = (grid: Grid) => Int32Array

function cellsWithin(scope: Scope): CellsOf {
  const known = new Map<Grid, Int32Array>()
  return (grid) => {
    let cells = known.get(grid)
    if (cells === undefined) {
      cells = projectOnto(grid, NO_GRID, restrictScope(scope, grid.dimensionIds))
      known.set(grid, cells)
    }
    return cells
  }
}

class FieldsWithin implements FieldSink {
  #total = 0
  #lacking = 0
  readonly #missing = new Set<string>()
  readonly #cellsOf: CellsOf

  constructor(cellsOf: CellsOf) {
    this.#cellsOf = cellsOf
  }

  score(): ScopedScore {
    return { percentage: percentageOf(this.#total - this.#lacking, this.#total), missing: this.#missing }
  }

  add(grid: Grid, isRequired: Uint8Array, isMissing: Uint8Array, { alias }: Attribute): void {
    const cells = this.#cellsOf(grid)
    for (let cell = 0; cell < cells.length; cell += 1) {
      if (cells[cell]! < 0) continue
      this.#total += isRequired[cell]!
      this.#lacking += isMissing[cell]!
      if (isMissing[cell] === 1) this.#missing.add(alias)
    }
  }
}
