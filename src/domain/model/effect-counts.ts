// What a change of the model would do to records, counted while they are looked at one after another. Contract 3 §2 (Renaming), 3 §11.
import { canRead, type Role } from '../accounts/permissions.ts'
import { LIFECYCLE_CHANGE } from '../records/changes.ts'

export const EFFECT_KINDS = ['valuesRemoved', 'valuesUnfit', 'nowRequired', 'guardHides', 'uniqueViolated'] as const
export type EffectKind = (typeof EFFECT_KINDS)[number]

export interface Effect {
  readonly schemaId: string
  readonly kind: EffectKind
  /** `lifecycleState` for records in a state that goes. */
  readonly attributeAlias: string
  /** How many records it concerns, and how many scoped values or combinations of them. */
  readonly records: number
  readonly values: number
  /** IDs of the first of these records. */
  readonly examples: readonly string[]
}

const MAX_EXAMPLES = 5

interface Count {
  records: number
  values: number
  /** Of the record that is looked at, and of all whose values are not unique: another one may bring them up again. */
  readonly seen: Set<string>
  readonly examples: string[]
}

/** Of one schema, as far as the role may know of it. */
export class EffectCounts {
  readonly #schemaId: string
  readonly #role: Role
  readonly #counts = new Map<string, Count>()

  constructor(schemaId: string, role: Role) {
    this.#schemaId = schemaId
    this.#role = role
  }

  /** `values`: of one record more. */
  note(kind: EffectKind, alias: string, id: string, values: number): void {
    const key = `${kind} ${alias}`
    const counted = this.#counts.get(key) ?? { records: 0, values: 0, seen: new Set<string>(), examples: [] }
    this.#counts.set(key, counted)
    counted.values += values
    if (counted.seen.has(id)) return
    if (kind !== 'uniqueViolated') counted.seen.clear()
    counted.seen.add(id)
    counted.records += 1
    // Which records have a value is not for whoever may not read it.
    const isReadable = alias === LIFECYCLE_CHANGE || canRead(this.#role, this.#schemaId, alias)
    if (isReadable && counted.examples.length < MAX_EXAMPLES) counted.examples.push(id)
  }

  effects(): Effect[] {
    return [...this.#counts].map(([key, { records, values, examples }]) => {
      const [kind, attributeAlias] = key.split(' ') as [EffectKind, string]
      return { schemaId: this.#schemaId, kind, attributeAlias, records, values, examples }
    })
  }
}
