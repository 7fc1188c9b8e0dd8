// The placeholder of a rule that a role may not read. Clients send the placeholder back to keep the rule. Contract 3 §9.6.
import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'

export const HIDDEN_RULE = '********'

export const HiddenRule = v.pipe(
  v.literal(HIDDEN_RULE),
  v.description(
    'Stands for a criterion on an attribute that the role may not read. Send it back to keep the stored criterion.',
  ),
)

/**
 * Returns the stored rule for its placeholder.
 * @param isSameSchema false: the rule would move to another schema, in which the role may read an attribute with this
 * alias. So the rule would be shown.
 * @throws VALIDATION_ERROR without a stored rule, and for another schema
 */
export function keepRule<Rule>(stored: Rule | null | undefined, field: string, isSameSchema = true): Rule {
  if (stored === null || stored === undefined) throw invalid(`${field} is a placeholder, but nothing is stored there`)
  if (!isSameSchema)
    throw invalid(`${field} is a placeholder, which another schemaId does not keep: send the rule itself`)
  return stored
}
