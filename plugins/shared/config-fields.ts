// Fields shared by the settings of several built-in destinations.
import * as v from 'valibot'

export const text = (name: string, max: number) =>
  v.pipe(
    v.string(`${name} must be a string`),
    v.minLength(1, `${name} must not be empty`),
    v.maxLength(max, `${name} must have at most ${max} characters`),
  )

export const timeoutSeconds = v.optional(
  v.pipe(
    v.number('timeoutSeconds must be a number'),
    v.description('How long a connection may be silent; 60 by default.'),
    v.minValue(1, 'timeoutSeconds must be at least 1'),
    v.maxValue(600, 'timeoutSeconds must be at most 600'),
  ),
)

/** Returns the message for settings with a missing field. */
export function missingField(issue: v.ObjectIssue): string {
  return issue.path ? `${String(issue.path[0].key)} is required` : 'destinationConfig must be an object'
}
