// What a change of the model would do to records, in a reader thread: on one snapshot, in slices.
import { Schema, type Model } from '../../core/model/rules/model.ts'
import { type ModelEffects, SchemaPreview } from '../../core/model/rules/model-preview.ts'
import type { Values } from '../../core/records/rules/record.ts'
import type { PreviewQuery } from '../search-port.ts'
import { type Program, readTask } from '../../core/search/plan/ask.ts'

const SLICE_MILLISECONDS = 10
/** Records that are read at once, fewer where they are large. */
const PAGE = 50

interface PreviewStep {
  readonly items: ModelEffects[]
  readonly total?: null
  readonly isLast?: boolean
}

export function* runPreview(query: PreviewQuery, model: Model): Program<PreviewStep> {
  const changed = changedModel(model, query)
  const all: ModelEffects[] = []
  for (const schemaId of query.schemaIds) {
    const [before, after] = [model.schemas.get(schemaId), changed.schemas.get(schemaId)]
    // One that is gone since has no records.
    if (before === undefined || after === undefined) continue
    const preview = new SchemaPreview({ schema: before, model }, { schema: after, model: changed }, query.role)
    yield* lookAtAll(schemaId, preview)
    all.push(preview.result())
  }
  const effects = all.flatMap((one) => one.effects)
  yield { items: [{ effects, completeness: all.flatMap((one) => one.completeness) }], total: null, isLast: true }
}

function* lookAtAll(schemaId: string, preview: SchemaPreview): Program<PreviewStep> {
  let end = performance.now() + SLICE_MILLISECONDS
  let parent: { readonly id: string; readonly values: Values } | undefined
  for (let place = 0; ;) {
    const from = place
    const page = yield* readTask((reads) => reads.listFrom(schemaId, from, PAGE))
    for (const { record } of page) {
      const { id, parentId, lifecycleStateId: stateId } = record
      if (parentId !== null && parent?.id !== parentId)
        parent = { id: parentId, values: parse((yield* readTask((reads) => reads.record(parentId)))!.valuesJson) }
      const inherited = parentId === null ? null : parent!.values
      const steps = preview.look({ id, stateId, layers: { own: parse(record.valuesJson), inherited } })
      while (steps.next().done !== true) {
        if (performance.now() < end) continue
        yield { items: [] }
        end = performance.now() + SLICE_MILLISECONDS
      }
    }
    if (page.length === 0) return
    place = page.at(-1)!.place
  }
}

function changedModel(model: Model, { schema, dimension, workflow }: PreviewQuery): Model {
  const { schemas, dimensions, workflows } = model
  return {
    ...model,
    schemas: schema === undefined ? schemas : new Map(schemas).set(schema.id, new Schema(schema)),
    dimensions: dimension === undefined ? dimensions : new Map(dimensions).set(dimension.id, dimension),
    workflows: workflow === undefined ? workflows : new Map(workflows).set(workflow.id, workflow),
  }
}

function parse(valuesJson: string): Values {
  return JSON.parse(valuesJson) as Values
}
