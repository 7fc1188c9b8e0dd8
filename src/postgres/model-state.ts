// The parsed documents of the model at one moment. After a change, only changed documents are parsed again; the others
// are shared.
import type { Dimension } from '../core/model/rules/dimension.ts'
import { type Model, Schema, type SchemaDefinition } from '../core/model/rules/model.ts'
import { type ModelChange, pendingChanges } from '../core/model/rules/model-change.ts'
import type { Role } from '../core/accounts/rules/permissions.ts'
import type { Workflow } from '../core/model/rules/workflow.ts'
import type { Asked } from '../store/rows/session.ts'

const MODEL_TABLES = ['dimension', 'workflow', 'schema', 'role', 'model_change'] as const
export type ModelTable = (typeof MODEL_TABLES)[number]

interface Kept {
  readonly text: string
  readonly item: { readonly id: string }
  /** The `Schema` of a schema, or the document itself. */
  readonly ready: unknown
}

type Tables = Readonly<Record<ModelTable, ReadonlyMap<string, Kept>>>

interface Row {
  readonly name: ModelTable
  readonly id: string
  readonly document: string
}

const DOCUMENTS = MODEL_TABLES.map((name) => `SELECT '${name}' AS name, n, id, document FROM ${name}`).join(
  ' UNION ALL ',
)
/** One statement, so that everything is read from one snapshot. */
const LOAD = `SELECT (SELECT model FROM workspace) AS version, name, id, document
  FROM (SELECT 1) AS always LEFT JOIN (${DOCUMENTS}) AS documents ON true ORDER BY n`

export class ModelState {
  readonly #tables: Tables
  /** The parsed documents of each table: the same map until one of them changes. */
  readonly #ready: Readonly<Record<ModelTable, ReadonlyMap<string, unknown>>>
  #model: Model | undefined

  private constructor(tables: Tables, before?: ModelState) {
    this.#tables = tables
    this.#ready = Object.fromEntries(
      MODEL_TABLES.map((name) => [
        name,
        before !== undefined && before.#tables[name] === tables[name]
          ? before.#ready[name]
          : new Map([...tables[name]].map(([id, { ready }]) => [id, ready])),
      ]),
    ) as Record<ModelTable, ReadonlyMap<string, unknown>>
  }

  /** Reads all documents; unchanged documents of `before` stay the same object. */
  static async load(from: Asked, before?: ModelState): Promise<{ state: ModelState; version: number }> {
    const rows = await from.rows<Row & { version: number }>(LOAD)
    const tables = Object.fromEntries(MODEL_TABLES.map((name) => [name, new Map<string, Kept>()])) as Record<
      ModelTable,
      Map<string, Kept>
    >
    for (const { name, id, document } of rows) {
      // A row without a name contains the version alone: the model has no documents.
      if (name === null) continue
      const known = before === undefined ? undefined : before.#tables[name].get(id)
      tables[name].set(id, known?.text === document ? known : keep(name, document))
    }
    return {
      state: new ModelState(before === undefined ? tables : shared(tables, before.#tables), before),
      version: rows[0]!.version,
    }
  }

  get model(): Model {
    const { dimension, workflow, schema, role, model_change: changes } = this.#ready
    return (this.#model ??= {
      dimensions: dimension as ReadonlyMap<string, Dimension>,
      workflows: workflow as ReadonlyMap<string, Workflow>,
      schemas: schema as ReadonlyMap<string, Schema>,
      roles: role as ReadonlyMap<string, Role>,
      pending: pendingChanges(
        [...(changes as ReadonlyMap<string, ModelChange>).values()],
        (definition) => new Schema(definition),
      ),
    })
  }

  get<Item>(name: ModelTable, id: string): Item | undefined {
    return this.#tables[name].get(id)?.item as Item | undefined
  }

  list<Item>(name: ModelTable): Item[] {
    return [...this.#tables[name].values()].map(({ item }) => item as Item)
  }

  /**
   * Returns a state with `document` in place of the document with this ID. A new ID is last.
   * @param document undefined: the document is deleted
   */
  with(name: ModelTable, id: string, document: string | undefined): ModelState {
    const table = new Map(this.#tables[name])
    if (document === undefined) table.delete(id)
    else table.set(id, keep(name, document))
    return new ModelState({ ...this.#tables, [name]: table }, this)
  }
}

function keep(name: ModelTable, text: string): Kept {
  const item = JSON.parse(text) as { readonly id: string }
  return { text, item, ready: name === 'schema' ? new Schema(item as SchemaDefinition) : item }
}

/** `tables`, reusing unchanged ones from `before`. */
function shared(tables: Tables, before: Tables): Tables {
  return Object.fromEntries(
    MODEL_TABLES.map((name) => {
      const [now, then] = [[...tables[name].values()], [...before[name].values()]]
      const isSame = now.length === then.length && now.every((kept, index) => kept === then[index])
      return [name, isSame ? before[name] : tables[name]]
    }),
  ) as Tables
}
