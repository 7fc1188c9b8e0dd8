// Names of a part of the model by language, for people; `name` is the default.
// Contract 3 §7.
import * as v from 'valibot'
import { NOT_BLANK } from '../../../kernel/input/validation.ts'

/** Language tags, as `de` and `pt-BR`, or the IDs of a language dimension's segments. */
const LANGUAGE = /^[A-Za-z][A-Za-z0-9_-]{0,34}$/
const MAX_LANGUAGES = 100
const MAX_NAME = 200

export type Names = Readonly<Record<string, string>>

function isNames(input: unknown): input is Names {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  const entries = Object.entries(input)
  return entries.length <= MAX_LANGUAGES && entries.every(([language, name]) => LANGUAGE.test(language) && isName(name))
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name.trim() !== '' && name.length <= MAX_NAME
}

/** Not `v.record`: it drops keys like `constructor`. */
export const NamesInput = v.pipe(
  v.custom<Names>(
    isNames,
    `must be an object of up to ${MAX_LANGUAGES} languages, such as de or pt-BR, to names of 1 to ${MAX_NAME} characters`,
  ),
  v.metadata({
    type: 'object',
    additionalProperties: { type: 'string', minLength: 1, maxLength: MAX_NAME, ...NOT_BLANK },
    propertyNames: { pattern: LANGUAGE.source },
    maxProperties: MAX_LANGUAGES,
  }),
  v.description('Names by language, besides `name`.'),
)

/** An object with names in several languages. */
export interface Named {
  readonly name: string
  readonly names?: Names | undefined
}

/** Returns the member `names` to store; without names, no member. */
export function keepNames(names: Names | undefined): Pick<Named, 'names'> {
  return names === undefined || Object.keys(names).length === 0 ? {} : { names }
}
