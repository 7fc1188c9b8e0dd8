// The effects of a model change on the records of a schema. Each record is read before anything is changed.
// Contract 3 §2 (Renaming), 3 §11.
import * as v from 'valibot'
import type { OutputOf } from '../../../kernel/input/validation.ts'
import { canRead, type Role } from '../../accounts/rules/permissions.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import { type FileValue, findFileFault } from '../../datatypes/file.ts'
import { type ScoreSubject, type Tally, tallyInSteps } from '../../records/rules/completeness.ts'
import { scopedValues, type ValueLayers, type Values } from '../../records/rules/record.ts'
import type { ScopedValue } from '../../scopes/scope.ts'
import { ValueSheet } from '../../scopes/value-sheet.ts'
import { findById } from '../../../kernel/found-by-id.ts'
import { isSameValue } from '../../../kernel/text.ts'
import type { ValueFault } from '../../values/value-fault.ts'
import { uniqueKeys } from '../../values/values.ts'
import type { Attribute } from './attributes.ts'
import { type Effect, EffectCounts, type EffectKind, type HiddenEffect } from './effect-counts.ts'
import { judgeGuard } from './guards.ts'
import { mayKnow } from './hidden-rules.ts'
import type { Model, Schema } from './model.ts'
import { aliasesToClaim, endangeredAliases, fitValues } from './schema-changes.ts'

export const CompletenessEffectShape = v.object({
  schemaId: v.string(),
  stateId: v.string(),
  before: v.pipe(v.number(), v.description('The number of records that are complete for this state now.')),
  after: v.pipe(v.number(), v.description('The number of records that would be complete.')),
})

/** The numbers of complete records before and after the change, scored for the state. */
type CompletenessEffect = OutputOf<typeof CompletenessEffectShape>

export interface ModelEffects {
  readonly effects: readonly Effect[]
  readonly completeness: readonly CompletenessEffect[]
}

/** The examined parts of a record. */
interface LookedAt {
  readonly id: string
  readonly stateId: string
  readonly layers: ValueLayers
  /** The schemas of the records of `namedByNewRule`, by record. */
  readonly schemaOf: ReadonlyMap<string, string>
}

/** One side of the change. */
interface SchemaInModel {
  readonly schema: Schema
  readonly model: Model
}

/** The most values that are remembered for comparing unique values. Later values are compared with these alone. */
const MAX_COMPARED = 1_000_000

export class SchemaPreview {
  readonly #before: SchemaInModel
  readonly #after: SchemaInModel
  readonly #role: Role
  readonly #counts: EffectCounts
  readonly #changed: readonly string[]
  readonly #endangered: readonly string[]
  readonly #guarded: readonly Attribute[]
  readonly #claimed: ReadonlySet<string>
  /** Unique key → record that holds the value; undefined: this record is already counted. */
  readonly #holders = new Map<string, string | undefined>()
  readonly #states: readonly string[]
  readonly #removedStates: ReadonlySet<string>
  readonly #complete: Map<string, { before: number; after: number }>

  constructor(before: SchemaInModel, after: SchemaInModel, role: Role) {
    this.#before = before
    this.#after = after
    this.#role = role
    this.#counts = new EffectCounts(after.schema.id, hiddenEffects(before, after, role))
    this.#changed = before.schema.attributes.filter((one) => this.#isChanged(one)).map(({ alias }) => alias)
    this.#endangered = endangeredAliases(before.schema, after.schema)
    this.#guarded = after.schema.attributes.filter(
      ({ alias, guard }) => guard !== null && !isSame(guard, before.schema.attribute(alias)?.guard),
    )
    this.#claimed = new Set(aliasesToClaim(before.schema, after.schema))
    const [was, will] = [statesOf(before), statesOf(after)]
    this.#states = [...new Set([...was, ...will])]
    this.#removedStates = new Set(was.filter((stateId) => !will.includes(stateId)))
    this.#complete = new Map(this.#states.map((stateId) => [stateId, { before: 0, after: 0 }]))
  }

  /** Returns the records named by lists whose attribute gets a new `validation.schemaId`. */
  namedByNewRule(own: Values): string[] {
    return this.#changed.flatMap((alias) => {
      const [was, will] = [this.#before, this.#after].map(({ schema }) => schema.attribute(alias))
      const isNew = was?.dataType === will?.dataType && was?.validation.schemaId !== will?.validation.schemaId
      if (!isNew || will?.validation.schemaId === undefined) return []
      return scopedValues(own, alias).flatMap(({ value }) => namesOf(value, will))
    })
  }

  /** Yields often, so that other work can run. */
  *look(record: LookedAt): Generator<void, void> {
    const { id, stateId, layers } = record
    const lost = this.#lookAtValues(record)
    if (this.#removedStates.has(stateId)) this.#counts.noteState(id)
    const kept = { own: this.#kept(layers.own), inherited: layers.inherited && this.#kept(layers.inherited) }
    const [was, will] = [
      { layers, ...this.#before },
      { layers: kept, ...this.#after },
    ]
    this.#lookAtUnique(id, kept.own)
    yield* this.#lookAtGuards(id, was, will)
    for (const scored of new Set([...this.#states, stateId])) {
      const before = yield* this.#tally(was, scored)
      const after = yield* this.#tally(will, scored)
      const complete = this.#complete.get(scored)
      if (complete !== undefined && before.filled === before.total) complete.before += 1
      if (complete !== undefined && after.filled === after.total) complete.after += 1
      if (scored === stateId) this.#lookAtRequired(id, before, after, lost)
    }
  }

  result(): ModelEffects {
    const { schema } = this.#after
    const completeness = this.#states.map((stateId) => ({
      schemaId: schema.id,
      stateId,
      ...this.#complete.get(stateId)!,
    }))
    return { effects: this.#counts.effects(), completeness }
  }

  /** @returns aliases whose values are removed or do not fit */
  #lookAtValues({ id, layers: { own }, schemaOf }: LookedAt): ReadonlySet<string> {
    const lost = new Set<string>()
    for (const alias of this.#changed) {
      const stored = scopedValues(own, alias)
      const [was, will] = [this.#before.schema.attribute(alias)!, this.#after.schema.attribute(alias)]
      const unfit =
        will === undefined
          ? stored
          : stored.filter(
              (item) =>
                isFit(item, was, this.#before.model) &&
                (!isFit(item, will, this.#after.model) || namesStrangers(item, will, schemaOf)),
            )
      if (unfit.length === 0) continue
      lost.add(alias)
      this.#note(will === undefined ? 'valuesRemoved' : 'valuesUnfit', alias, id, unfit.length)
    }
    return lost
  }

  #lookAtUnique(id: string, own: Values): void {
    if (this.#claimed.size === 0) return
    for (const { alias, scope, key } of uniqueKeys(own, this.#after.schema)) {
      if (!this.#claimed.has(alias)) continue
      const text = `${alias}\n${scope}\n${key}`
      if (!this.#holders.has(text)) {
        if (this.#holders.size < MAX_COMPARED) this.#holders.set(text, id)
        continue
      }
      const first = this.#holders.get(text)
      if (first === id) continue
      if (first !== undefined) this.#note('uniqueViolated', alias, first, 1)
      this.#holders.set(text, undefined)
      this.#note('uniqueViolated', alias, id, 1)
    }
  }

  *#lookAtGuards(id: string, was: ScoreSubject, will: ScoreSubject): Generator<void, void> {
    if (this.#guarded.length === 0) return
    const [before, after] = [was, will].map(({ layers, schema, model }) => new ValueSheet(layers, schema, model))
    for (const attribute of this.#guarded) {
      const isFilled = after!.filledCells(attribute)
      const isVisible = yield* judgeGuard(attribute, will.schema, after!)
      const old = this.#before.schema.attribute(attribute.alias)
      const isSameGrid = old !== undefined && isSame(old.dimensionIds, attribute.dimensionIds)
      // A guard that the role may not know would tell by what it has hidden so far.
      const isKnown = isSameGrid && mayKnow(this.#role, was.schema.id)(old)
      const wasVisible = isKnown ? yield* judgeGuard(old, was.schema, before!) : undefined
      let hidden = 0
      for (let cell = 0; cell < isFilled.length; cell += 1)
        if (isFilled[cell] !== 0 && isVisible?.[cell] === 0 && wasVisible?.[cell] !== 0) hidden += 1
      if (hidden > 0) this.#note('guardHides', attribute.alias, id, hidden)
    }
  }

  #lookAtRequired(id: string, before: Tally, after: Tally, lost: ReadonlySet<string>): void {
    const lacking = new Map(before.gaps.map(({ attribute, isMissing }) => [attribute.alias, count(isMissing)]))
    for (const { attribute, isMissing } of after.gaps) {
      const more = count(isMissing) - (lacking.get(attribute.alias) ?? 0)
      if (more > 0 && !lost.has(attribute.alias)) this.#note('nowRequired', attribute.alias, id, more)
    }
  }

  /** Counts an effect, unless the role may not read the attribute: `hiddenEffects` describes such effects. */
  #note(kind: EffectKind, alias: string, id: string, values: number): void {
    if (canRead(this.#role, this.#after.schema.id, alias)) this.#counts.note(kind, alias, id, values)
  }

  #tally(subject: ScoreSubject, stateId: string): Generator<void, Tally> {
    return tallyInSteps(subject, stateId, mayKnow(this.#role, subject.schema.id))
  }

  /** Returns the values without those that no longer fit. */
  #kept(values: Values): Values {
    return fitValues(values, this.#endangered, this.#before.schema, this.#after.schema)
  }

  #isChanged(was: Attribute): boolean {
    const will = this.#after.schema.attribute(was.alias)
    if (will === undefined) return true
    const dimensions = was.dimensionIds.map((id) =>
      [this.#before.model, this.#after.model].map((one) => one.dimensions.get(id)),
    )
    return !isSame(rulesOf(was), rulesOf(will)) || dimensions.some(([one, other]) => one !== other)
  }
}

function statesOf({ schema, model }: SchemaInModel): string[] {
  return model.workflows.get(schema.workflowId)!.states.map(({ id }) => id)
}

/** Returns everything that decides whether a value fits. */
function rulesOf({ dataType, dimensionIds, validation, options, units, currencies }: Attribute): unknown {
  return [dataType, dimensionIds, validation, options.map(({ id }) => id), units, currencies]
}

function isFit({ scope, value }: ScopedValue, attribute: Attribute, { dimensions }: Model): boolean {
  const isKnown = ([dimensionId, segmentId]: [string, string]): boolean =>
    attribute.dimensionIds.includes(dimensionId) &&
    findById(dimensions.get(dimensionId)?.segments ?? [], segmentId) !== undefined
  return findUnfitness(value, attribute) === undefined && Object.entries(scope).every(isKnown)
}

function namesOf(value: unknown, attribute: Attribute): readonly string[] {
  return dataTypeOf(attribute).records?.named(value) ?? []
}

/** Returns whether the value names records of another schema than the rule requires. Deleted records do not count. */
function namesStrangers({ value }: ScopedValue, attribute: Attribute, schemaOf: ReadonlyMap<string, string>): boolean {
  const { schemaId } = attribute.validation
  return schemaId !== undefined && namesOf(value, attribute).some((id) => (schemaOf.get(id) ?? schemaId) !== schemaId)
}

/** Finds the fault of a stored value. A stored file contains the facts that the rules of files check. */
function findUnfitness(value: unknown, attribute: Attribute): ValueFault | undefined {
  const type = dataTypeOf(attribute)
  const fault = type.findFault(value, attribute)
  return fault ?? (type.files && findFileFault(value as FileValue, attribute.validation))
}

function count(cells: Uint8Array): number {
  return cells.reduce((sum, cell) => sum + cell, 0)
}

function isSame(one: unknown, other: unknown): boolean {
  return isSameValue(one ?? null, other ?? null)
}

/**
 * Returns effects on attributes that the role may not read. They follow from the definitions alone, because an effect
 * that depended on stored values would disclose them. Contract 3 §12.
 */
function hiddenEffects(before: SchemaInModel, after: SchemaInModel, role: Role): HiddenEffect[] {
  const schemaId = after.schema.id
  const attributes = [...before.schema.attributes, ...after.schema.attributes]
  const aliases = new Set(attributes.map(({ alias }) => alias).filter((alias) => !canRead(role, schemaId, alias)))
  const claimed = aliasesToClaim(before.schema, after.schema)
  const endangered = endangeredAliases(before.schema, after.schema)
  return [...aliases].flatMap((attributeAlias) => {
    const [was, will] = [before, after].map(({ schema }) => schema.attribute(attributeAlias))
    const mayLose = endangered.includes(attributeAlias) || losesSegments(was, before.model, after.model)
    const may: Readonly<Record<EffectKind, boolean>> = {
      valuesRemoved: will === undefined,
      valuesUnfit: was !== undefined && will !== undefined && (mayLose || !isSame(was.validation, will.validation)),
      nowRequired: will !== undefined && asksMore(was, will),
      guardHides: was !== undefined && will !== undefined && will.guard !== null && !isSame(was.guard, will.guard),
      uniqueViolated: claimed.includes(attributeAlias),
    }
    const kinds = (Object.keys(may) as EffectKind[]).filter((kind) => may[kind])
    return kinds.map((kind): HiddenEffect => ({ schemaId, kind, attributeAlias, hidden: true }))
  })
}

function losesSegments(attribute: Attribute | undefined, before: Model, after: Model): boolean {
  return (attribute?.dimensionIds ?? []).some((id) => {
    const kept = new Set(after.dimensions.get(id)?.segments.map((segment) => segment.id))
    return before.dimensions.get(id)?.segments.some((segment) => !kept.has(segment.id)) === true
  })
}

/** Returns whether a state may require more combinations of the attribute than before. */
function asksMore(was: Attribute | undefined, will: Attribute): boolean {
  const isNew = will.requiredInStateIds.some((stateId) => was?.requiredInStateIds.includes(stateId) !== true)
  const isWider = !isSame([was?.guard, was?.dimensionIds], [will.guard, will.dimensionIds])
  return isNew || (will.requiredInStateIds.length > 0 && isWider)
}
