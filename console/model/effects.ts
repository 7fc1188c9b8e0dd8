// The effects of a model change, as sentences: lost values, values that no longer fit, records that are no longer
// complete. Contract 3 §2, 3 §11.
import { LIFECYCLE_CHANGE } from '../../src/core/records/rules/changes.ts'
import type { Endpoints } from '../api/types.ts'
import type { modelWords } from '../words/en/model.ts'

export type ModelEffects = Endpoints['POST /api/v1/schemas/:id/preview']['reply']
type Effect = ModelEffects['effects'][number]

export interface Sentence {
  readonly word: Extract<keyof typeof modelWords, `model.effect.${string}`>
  readonly tone: 'bad' | 'wait' | 'good'
  readonly count: number
  readonly values: number
  readonly schemaId: string
  /** The attribute or the state of the sentence. */
  readonly about: { readonly alias: string } | { readonly stateId: string }
  /** IDs of the first affected records. */
  readonly examples: readonly string[]
}

const WORDS = {
  valuesRemoved: { word: 'model.effect.removed', tone: 'bad' },
  valuesUnfit: { word: 'model.effect.unfit', tone: 'bad' },
  nowRequired: { word: 'model.effect.required', tone: 'wait' },
  guardHides: { word: 'model.effect.hidden', tone: 'wait' },
  uniqueViolated: { word: 'model.effect.unique', tone: 'bad' },
} as const

/** Returns sentences about effects, losses first; empty: the change affects nothing stored. */
export function sentencesOf({ effects, completeness }: ModelEffects): Sentence[] {
  const told = effects.filter(isFirstHidden).map((effect): Sentence => {
    const { kind, attributeAlias, schemaId, records: count = 0, values = 0, examples = [] } = effect
    const { word, tone } = WORDS[kind]
    const found = { tone, count, values, schemaId, about: { alias: attributeAlias }, examples }
    if (effect.hidden === true) return { ...found, word: 'model.effect.unseen' }
    return { ...found, word: isState(effect) ? 'model.effect.state' : word }
  })
  const scored = completeness.flatMap(({ schemaId, stateId, before, after }): Sentence[] => {
    if (before === after) return []
    const isLess = after < before
    const count = Math.abs(after - before)
    const word = isLess ? 'model.effect.fall' : 'model.effect.rise'
    return [{ word, tone: isLess ? 'wait' : 'good', count, values: 0, schemaId, about: { stateId }, examples: [] }]
  })
  const order = ['bad', 'wait', 'good']
  return [...told, ...scored].sort((one, other) => order.indexOf(one.tone) - order.indexOf(other.tone))
}

/** Returns whether the change removes stored values, which the user must confirm. */
export function dropsValues({ effects }: ModelEffects): boolean {
  return effects.some((effect) => isDropped(effect))
}

/** The number of removed values. */
export function droppedValues({ effects }: ModelEffects): number {
  return effects.reduce((sum, effect) => sum + (isDropped(effect) ? (effect.values ?? 0) : 0), 0)
}

/** Whether the server will refuse the change unless these records change first. */
export function isRefused({ effects }: ModelEffects): boolean {
  return effects.some((effect) => (effect.kind === 'uniqueViolated' && effect.hidden !== true) || isState(effect))
}

/** Returns whether the effect is the first of its hidden attribute: one sentence covers all of them. */
function isFirstHidden(effect: Effect, at: number, effects: readonly Effect[]): boolean {
  const isSame = (other: Effect): boolean =>
    other.hidden === true && other.attributeAlias === effect.attributeAlias && other.schemaId === effect.schemaId
  return effect.hidden !== true || effects.findIndex(isSame) === at
}

/** Whether the effect is about a state that the change removes. */
function isState({ attributeAlias, hidden }: Effect): boolean {
  return attributeAlias === LIFECYCLE_CHANGE && hidden !== true
}

function isDropped(effect: Effect): boolean {
  return (
    effect.hidden !== true && !isState(effect) && (effect.kind === 'valuesRemoved' || effect.kind === 'valuesUnfit')
  )
}
