// The attributes of a model whose values name records. Contract 2 §3.
import { dataTypeOf } from '../../datatypes/data-types.ts'
import type { AttributeOfSchema } from '../../records/rules/referrer.ts'
import type { Model } from './model.ts'

interface ReferringAttributes {
  readonly all: readonly AttributeOfSchema[]
  /** Attributes whose values prevent the deletion of the records that they name. */
  readonly lists: readonly AttributeOfSchema[]
}

const known = new WeakMap<Model, ReferringAttributes>()

/** Includes attributes of definitions that are about to be in force. */
export function referringAttributes(model: Model): ReferringAttributes {
  const found = known.get(model) ?? findReferring(model)
  known.set(model, found)
  return found
}

function findReferring({ schemas, pending }: Model): ReferringAttributes {
  const [all, lists] = [new Map<string, AttributeOfSchema>(), new Map<string, AttributeOfSchema>()]
  for (const { id: schemaId, attributes } of [...schemas.values(), ...(pending?.schemas.values() ?? [])])
    for (const attribute of attributes) {
      const { records } = dataTypeOf(attribute)
      if (records === undefined) continue
      const { alias } = attribute
      const referring = { schemaId, alias }
      all.set(`${schemaId} ${alias}`, referring)
      if (records.areKept) lists.set(`${schemaId} ${alias}`, referring)
    }
  return { all: [...all.values()], lists: [...lists.values()] }
}
