// Previews the effects of a model change on records, in a reader thread on one snapshot.
import { Schema, type Model } from '../../core/model/rules/model.ts'
import { type ModelEffects, SchemaPreview } from '../../core/model/rules/model-preview.ts'
import type { Values } from '../../core/records/rules/record.ts'
import type { PreviewQuery } from '../search-port.ts'
import type { World } from './search-snapshot.ts'
import { inSlices } from './task-time.ts'

/** The most records read at once; fewer if they are large. */
const PAGE = 50
const NOTHING: ReadonlyMap<string, string> = new Map()

export async function previewChange(query: PreviewQuery, world: World): Promise<ModelEffects> {
  const { model } = world
  const changed = changedModel(model, query)
  const all: ModelEffects[] = []
  for (const schemaId of query.schemaIds) {
    const [before, after] = [model.schemas.get(schemaId), changed.schemas.get(schemaId)]
    // A schema deleted meanwhile has no records.
    if (before === undefined || after === undefined) continue
    const preview = new SchemaPreview({ schema: before, model }, { schema: after, model: changed }, query.role)
    await lookAtAll(schemaId, preview, world)
    all.push(preview.result())
  }
  const effects = all.flatMap((one) => one.effects)
  return { effects, completeness: all.flatMap((one) => one.completeness) }
}

async function lookAtAll(schemaId: string, preview: SchemaPreview, { reads, index }: World): Promise<void> {
  let parent: { readonly id: string; readonly values: Values } | undefined
  for (let place = 0; ;) {
    const page = await reads.records.listFrom(schemaId, place, PAGE)
    for (const { record } of page) {
      const { id, parentId, lifecycleStateId: stateId } = record
      if (parentId !== null && parent?.id !== parentId)
        parent = { id: parentId, values: parse((await reads.records.get(parentId))!.valuesJson) }
      const inherited = parentId === null ? null : parent!.values
      const own = parse(record.valuesJson)
      const named = preview.namedByNewRule(own)
      const schemaOf = named.length === 0 ? NOTHING : await reads.records.existing(named)
      await inSlices(preview.look({ id, stateId, layers: { own, inherited }, schemaOf }), index)
      await index.breathe()
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
