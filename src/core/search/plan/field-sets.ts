// Turns criteria on fields into sets of records. `core/search/rules/judge-field.ts` defines their meaning.
import type { Schema } from '../../model/rules/model.ts'
import type { FieldCriterion } from '../rules/criterion.ts'
import { wantedKeys } from '../rules/judge-field.ts'
import { operatorOf } from '../rules/operators.ts'
import type { Asked } from './asked.ts'
import { FIELD_ALIASES } from './field-rows.ts'
import { keysOf, rangeOf } from './key-sets.ts'
import { setOfScores } from './score-sets.ts'
import { allOf, complement, type RecordSet } from './sets.ts'

export async function setOfField(criterion: FieldCriterion, asked: Asked): Promise<RecordSet> {
  switch (criterion.field) {
    case 'schemaId':
      return setOfSchemas(criterion, asked)
    case 'completeness':
    case 'missing':
      return await setOfScores(criterion, asked)
    default: {
      const isMany = criterion.field === 'categoryId' || criterion.field === 'catalogId'
      const set = keysOf(FIELD_ALIASES[criterion.field], rangeOf(criterion, asked), isMany, asked.schemas, asked)
      return operatorOf(criterion).isNegated ? complement(set, idsOf(asked.schemas)) : set
    }
  }
}

/** Finds records whose ID begins with the text, ignoring case. */
export function setOfIdPrefix(text: string, asked: Asked): RecordSet {
  const range = rangeOf({ field: 'id', operator: 'startsWith', value: text }, asked)
  return keysOf(FIELD_ALIASES.id, range, false, asked.schemas, asked)
}

function setOfSchemas(criterion: FieldCriterion, { schemas, categories }: Asked): RecordSet {
  const wanted = wantedKeys(criterion, { categories })
  const { isNegated } = operatorOf(criterion)
  return allOf(idsOf(schemas).filter((id) => wanted.has(id) !== isNegated))
}

function idsOf(schemas: readonly Schema[]): string[] {
  return schemas.map((schema) => schema.id)
}
