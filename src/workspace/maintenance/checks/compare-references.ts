// The index of references against the values of records. Contract 2 §3, 2 §4.
import { type ModelChange, notesOfBoth } from '../../../core/model/rules/model-change.ts'
import { Schema } from '../../../core/model/rules/model.ts'
import type { Values } from '../../../core/records/rules/record.ts'
import { valueLinks } from '../../../core/values/values.ts'
import type { WorkspaceInspection } from '../../../store/maintenance-port.ts'
import type { Findings } from '../check.ts'

/** A record that has values, and a schema to read them by. */
export interface Fitting {
  readonly id: string
  readonly schema: Schema
  readonly values: Values
}

export type ChangingSchemas = ReadonlyMap<string, readonly [before: Schema, after: Schema]>

/** While a schema changes, or its change is interrupted, more may be noted beside its records. */
export function schemasOfChanges(changes: readonly ModelChange[]): ChangingSchemas {
  return new Map(
    changes.flatMap((change) =>
      change.kind === 'schema'
        ? [[change.before.id, [new Schema(change.before), new Schema(change.after)] as const] as const]
        : [],
    ),
  )
}

/** Compares the index of references with the values: each value is noted, and nothing else is. */
export class ReferenceComparison {
  readonly #workspace: WorkspaceInspection
  readonly #changing: ChangingSchemas
  /** How many references may be noted; Infinity where the values of a record are not known. */
  #most = 0

  constructor(workspace: WorkspaceInspection, changing: ChangingSchemas) {
    this.#workspace = workspace
    this.#changing = changing
  }

  async compare(records: readonly Fitting[], isWhole: boolean, derived: Findings): Promise<void> {
    if (!isWhole) this.#most = Infinity
    const expected = records.flatMap(({ id, schema, values }) => {
      const references = valueLinks(values, schema)
      const both = this.#changing.get(schema.id)
      this.#most += both === undefined ? references.length : notesOfBoth(valueLinks, values, ...both).length
      return references.map(({ alias, scope, recordId }) => ({
        targetId: recordId,
        schemaId: schema.id,
        alias,
        recordId: id,
        scope,
      }))
    })
    const noted = await this.#workspace.findNoted(expected)
    const missing = expected.filter((_, index) => !noted.has(index))
    for (const id of new Set(missing.map(({ recordId }) => recordId)))
      derived.add(`${id}: its references are not those that are noted`)
  }

  async compareTotal(derived: Findings): Promise<void> {
    const more = (await this.#workspace.countReferences()) - this.#most
    if (more > 0) derived.add(`${more} references are noted that no record has`)
  }
}
