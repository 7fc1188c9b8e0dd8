// Renders the items of a result from stored records, in parts and in steps of some milliseconds. Data from outside the
// record is looked up for many records at once, before the records are read.
import { CombinationScores } from '../../core/records/rules/combination-scores.ts'
import { type Gate, gateOf, missingFields, type Tally, tallyInSteps } from '../../core/records/rules/completeness.ts'
import { type IsSent, resolveValues, sentValues, valuesInEffect } from '../../core/records/rules/item-values.ts'
import { gatesToList, listTransitions, stateToScore } from '../../core/records/rules/transition.ts'
import { parseLayers, parseValues, type ValueLayers } from '../../core/records/rules/record.ts'
import { mayKnow } from '../../core/model/rules/hidden-rules.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { canRead, canReadAll, readableValues, type Role } from '../../core/accounts/rules/permissions.ts'
import { isPlain, type ItemView, type RecordMember } from '../../core/search/rules/item-view.ts'
import type { StoredRecord } from '../record-port.ts'
import { type Numbers, toNumbers } from '../../core/search/plan/record-numbers.ts'
import type { ReadRecord, SearchIndex } from '../../core/search/plan/search-index.ts'
import type { FoundRecord } from '../search-port.ts'
import { firstImageOf, imageOf, type RecordImage } from '../../core/records/rules/record-image.ts'

/** Characters of one part of an item. */
const PART_CHARACTERS = 65_536

/** Members computed from the record's values. */
const OF_VALUES: ReadonlySet<RecordMember> = new Set(['effectiveValues', 'transitions', 'completeness'])

interface Context {
  readonly role: Role
  readonly view: ItemView
  readonly model: Model
}

export class FoundItems {
  readonly #context: Context
  readonly #members: ReadonlySet<RecordMember>
  readonly #isPlain: boolean
  #assignments: ReadonlyMap<number, readonly string[]> = new Map()
  #variantCounts: ReadonlyMap<number, number> = new Map()
  #images: ReadonlyMap<number, RecordImage> = new Map()

  constructor({ role, view = {} }: { readonly role: Role; readonly view?: ItemView | undefined }, model: Model) {
    this.#context = { role, view, model }
    this.#members = new Set(view.include)
    this.#isPlain = isPlain(view)
  }

  get model(): Model {
    return this.#context.model
  }

  /** True if `lookUp` has work to do. */
  get isLookedUp(): boolean {
    return this.#members.has('categories') || this.#members.has('variantCount')
  }

  /** Returns the picture of a record in the latest rows of `lookUpIn`. */
  protected imageOf({ n }: ReadRecord): RecordImage | null {
    return this.#images.get(n) ?? null
  }

  /** True if `lookUpIn` has work to do. */
  get isLookedUpInRows(): boolean {
    return this.#members.has('image')
  }

  /** Looks up data that the records themselves name. */
  async lookUpIn(rows: readonly ReadRecord[], index: SearchIndex): Promise<void> {
    this.#images = await findImages(rows, index, this.#context)
  }

  /** Looks up data for the records that are read next. */
  async lookUp(records: Numbers, index: SearchIndex): Promise<void> {
    if (this.#members.has('categories')) this.#assignments = await index.assignments(records)
    if (this.#members.has('variantCount')) this.#variantCounts = await index.variantCounts(records)
  }

  /** Yields the parts of the item; undefined: the event loop may take a turn. */
  *partsOf(row: ReadRecord): Generator<FoundRecord | undefined, void> {
    if (this.#isPlain) {
      yield readable(row, this.#context.role)
      return
    }
    let isContinued = false
    let head = this.#headOf(row)
    let moreJson = ''
    for (const piece of this.#piecesOf(row)) {
      if (piece === undefined) {
        yield undefined
        continue
      }
      moreJson += piece
      if (moreJson.length < PART_CHARACTERS) continue
      yield { ...head, moreJson, isContinued, isOpen: true }
      head = { ...head, valuesJson: '' }
      isContinued = true
      moreJson = ''
    }
    yield { ...head, moreJson, isContinued, isOpen: this.#members.has('variants') }
  }

  #headOf(row: ReadRecord): StoredRecord {
    const { role, view } = this.#context
    if (view.select === undefined) return readable(row, role)
    const values = view.select.length === 0 ? {} : sentValues(parseValues(row), this.#isSent(row))
    return headOf(row, JSON.stringify(values))
  }

  #isSent({ schemaId }: StoredRecord): IsSent {
    const { role, view } = this.#context
    const selected = view.select && new Set(view.select)
    return (alias) => selected?.has(alias) !== false && canRead(role, schemaId, alias)
  }

  *#piecesOf(row: ReadRecord): Generator<string | undefined, void> {
    const { view, model } = this.#context
    const { include = [], resolve } = view
    const members = this.#members
    if (members.has('version')) yield `,"version":${row.version}`
    if (members.has('variantCount')) yield `,"variantCount":${this.#variantCounts.get(row.n) ?? 0}`
    if (members.has('image')) yield `,"image":${JSON.stringify(this.imageOf(row))}`
    if (members.has('categories')) yield `,"categories":[${this.#assignments.get(row.n)?.join(',') ?? ''}]`
    if (resolve === undefined && !include.some((member) => OF_VALUES.has(member))) return
    // A schema cannot be deleted while it has records.
    const schema = model.schemas.get(row.schemaId)!
    const layers = parseLayers(row)
    const isSent = this.#isSent(row)
    if (resolve !== undefined)
      yield `,"resolved":${JSON.stringify(resolveValues(layers, schema.attributes, isSent, resolve))}`
    if (members.has('effectiveValues')) yield* this.#effectivePieces(layers, schema, isSent)
    if (members.has('transitions'))
      yield* transitionPieces({ stateId: row.lifecycleStateId, layers, schema, model }, this.#context.role)
    if (members.has('completeness')) yield* this.#completenessPieces(row, layers, schema)
  }

  *#effectivePieces(layers: ValueLayers, schema: Schema, isSent: IsSent): Generator<string | undefined, void> {
    const steps = valuesInEffect(layers, schema, isSent, this.#context.model)
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) yield undefined
    yield `,"effectiveValues":${JSON.stringify(step.value)}`
  }

  *#completenessPieces(row: ReadRecord, layers: ValueLayers, schema: Schema): Generator<string | undefined, void> {
    const { role, view, model } = this.#context
    // A workflow cannot be deleted while a schema uses it.
    const stateId = view.stateId ?? stateToScore(model.workflows.get(schema.workflowId)!, row.lifecycleStateId)
    const isCounted = mayKnow(role, schema.id)
    const byCombination =
      view.completenessBy === undefined ? undefined : new CombinationScores(schema, stateId, model, isCounted)
    const steps = tallyInSteps({ layers, schema, model }, stateId, isCounted, byCombination)
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) yield undefined
    const { percentage, filled, total, gaps } = step.value
    const score = JSON.stringify({ stateId, percentage, filled, total }).slice(0, -1)
    yield `,"completeness":${score}`
    if (byCombination !== undefined) yield `,"combinations":${JSON.stringify([...byCombination.scores()])}`
    yield ',"missing":['
    yield* missingPieces(gaps)
    yield ']}'
  }
}

/** JSON of the fields, separated by commas. */
function* missingPieces(gaps: Tally['gaps']): Generator<string, void> {
  let separator = ''
  for (const field of missingFields(gaps)) {
    yield separator + JSON.stringify(field)
    separator = ','
  }
}

/** Returns the record without values hidden from the role. */
export function readable(row: StoredRecord, role: Role): StoredRecord {
  if (canReadAll(role, row.schemaId)) return headOf(row, row.valuesJson)
  return headOf(row, JSON.stringify(readableValues(role, row.schemaId, parseValues(row))))
}

function headOf(row: StoredRecord, valuesJson: string): StoredRecord {
  const { id, schemaId, parentId, lifecycleStateId, version, createdAt, updatedAt, createdBy, updatedBy } = row
  return { id, schemaId, parentId, lifecycleStateId, version, createdAt, updatedAt, createdBy, updatedBy, valuesJson }
}

interface Subject {
  readonly stateId: string
  readonly layers: ValueLayers
  readonly schema: Schema
  readonly model: Model
}

/** Yields the JSON of `listTransitions` in pieces; undefined: the event loop may take a turn. */
function* transitionPieces(
  { stateId, layers, schema, model }: Subject,
  role: Role,
): Generator<string | undefined, void> {
  // A workflow cannot be deleted while a schema uses it.
  const workflow = model.workflows.get(schema.workflowId)!
  const { stateIds, limit } = gatesToList(workflow, stateId)
  const gates = new Map<string, Gate>()
  for (const target of stateIds) {
    const steps = tallyInSteps({ layers, schema, model }, target)
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) yield undefined
    gates.set(target, gateOf(step.value, mayKnow(role, schema.id), limit))
  }
  const transitions = listTransitions(workflow, stateId, role.id, (target) => gates.get(target)!)
  yield `,"transitions":${JSON.stringify(transitions)}`
}

/**
 * Returns the pictures of records by number. A picture is in the record's values, or in a record that the values name.
 * Records without a picture are absent. Contract 4 §2.
 */
async function findImages(
  rows: readonly ReadRecord[],
  index: SearchIndex,
  { model, role }: { readonly model: Model; readonly role: Role },
): Promise<ReadonlyMap<number, RecordImage>> {
  const images = new Map<number, RecordImage>()
  const wanted = new Map<string, number[]>()
  for (const row of rows) {
    const first = firstOf(row, model, role)
    if (first === undefined) continue
    if ('file' in first) images.set(row.n, imageOf(row.id, first.file))
    else wanted.set(first.recordId, [...(wanted.get(first.recordId) ?? []), row.n])
  }
  if (wanted.size === 0) return images
  const numbers = await index.numbersOf([...wanted.keys()])
  for await (const pictures of index.records(toNumbers([...numbers.values()].toSorted((one, other) => one - other))))
    for (const picture of pictures) {
      const first = firstOf(picture, model, role)
      if (first === undefined || !('file' in first)) continue
      for (const n of wanted.get(picture.id) ?? []) images.set(n, imageOf(picture.id, first.file))
    }
  return images
}

function firstOf(row: ReadRecord, model: Model, role: Role): ReturnType<typeof firstImageOf> {
  const schema = model.schemas.get(row.schemaId)
  return schema?.imageAttribute === undefined ? undefined : firstImageOf(parseLayers(row), schema, role)
}
