// Counts the effects of a model change while records are read one after another. Contract 3 §2 (Renaming), 3 §11.
import { LIFECYCLE_CHANGE } from '../../records/rules/changes.ts'

export const EFFECT_KINDS = ['valuesRemoved', 'valuesUnfit', 'nowRequired', 'guardHides', 'uniqueViolated'] as const
export type EffectKind = (typeof EFFECT_KINDS)[number]

interface EffectOn {
  readonly schemaId: string
  readonly kind: EffectKind
  /** The attribute; `lifecycleState`: records in a removed state. */
  readonly attributeAlias: string
}

/** An effect with the number of records, and the number of their scoped values or combinations. */
interface CountedEffect extends EffectOn {
  readonly records: number
  readonly values: number
  /** IDs of the first of these records. */
  readonly examples: readonly string[]
}

/** An effect on a hidden attribute: the possible effect on any stored value. Contract 3 §12. */
export interface HiddenEffect extends EffectOn {
  readonly hidden: true
}

export type Effect = CountedEffect | HiddenEffect

const MAX_EXAMPLES = 5

interface Count {
  readonly kind: EffectKind
  readonly attributeAlias: string
  records: number
  values: number
  /**
   * Effects of the present record, and of all records with values that are not unique: later records may report the
   * latter again.
   */
  readonly seen: Set<string>
  readonly examples: string[]
}

/** Counts the effects of a change of one schema. */
export class EffectCounts {
  readonly #schemaId: string
  readonly #hidden: readonly HiddenEffect[]
  readonly #counts = new Map<string, Count>()

  /** @param hidden effects on attributes that the role may not read: they are not counted */
  constructor(schemaId: string, hidden: readonly HiddenEffect[]) {
    this.#schemaId = schemaId
    this.#hidden = hidden
  }

  /** Adds an effect on one record. @param values number of its scoped values */
  note(kind: EffectKind, attributeAlias: string, id: string, values: number): void {
    this.#count(`${kind} ${attributeAlias}`, kind, attributeAlias, id, values)
  }

  /** Adds a record in a removed state. An attribute may also be called `lifecycleState`. */
  noteState(id: string): void {
    this.#count('state', 'valuesUnfit', LIFECYCLE_CHANGE, id, 1)
  }

  effects(): Effect[] {
    const counted = [...this.#counts.values()].map(({ kind, attributeAlias, records, values, examples }) => {
      return { schemaId: this.#schemaId, kind, attributeAlias, records, values, examples }
    })
    return [...counted, ...this.#hidden]
  }

  #count(key: string, kind: EffectKind, attributeAlias: string, id: string, values: number): void {
    const counted = this.#counts.get(key) ?? {
      kind,
      attributeAlias,
      records: 0,
      values: 0,
      seen: new Set<string>(),
      examples: [],
    }
    this.#counts.set(key, counted)
    counted.values += values
    if (counted.seen.has(id)) return
    if (kind !== 'uniqueViolated') counted.seen.clear()
    counted.seen.add(id)
    counted.records += 1
    if (counted.examples.length < MAX_EXAMPLES) counted.examples.push(id)
  }
}
