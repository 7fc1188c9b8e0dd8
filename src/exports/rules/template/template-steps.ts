// The steps of templates, by name, and the arguments that they take. `template-values.ts` applies them.

interface StepRule {
  readonly argument: 'none' | 'text' | 'sign' | 'map' | WholeNumber
  /** The source that must come right before the step, which needs more than a text. */
  readonly after?: 'attribute' | 'categoryPath'
}

/** Most characters of a text between the elements of a list, since a list may have many elements. */
const MAX_SIGN = 100

/** A whole number within limits. */
interface WholeNumber {
  readonly min: number
  readonly max: number
}

const STEPS = {
  plainText: { argument: 'none' },
  cut: { argument: { min: 1, max: 100_000 } },
  upper: { argument: 'none' },
  lower: { argument: 'none' },
  fixed: { argument: { min: 0, max: 10 } },
  unit: { argument: 'text', after: 'attribute' },
  path: { argument: 'sign', after: 'categoryPath' },
  url: { argument: 'none' },
  default: { argument: 'text' },
  join: { argument: 'sign' },
  first: { argument: 'none' },
  map: { argument: 'map' },
} as const satisfies Readonly<Record<string, StepRule>>

export type StepName = keyof typeof STEPS

export const STEP_NAMES = Object.keys(STEPS) as StepName[]

export function ruleOf(name: StepName): StepRule {
  return STEPS[name]
}

/** The fault of an argument that was read as text, or undefined. */
export function findArgumentFault(name: StepName, text: string): string | undefined {
  const { argument } = ruleOf(name)
  if (argument === 'sign' && text.length > MAX_SIGN) return `needs at most ${MAX_SIGN} characters for '${name}'`
  if (typeof argument === 'string') return undefined
  const { min, max } = argument
  const isRight = /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
  return isRight ? undefined : `needs a whole number from ${min} to ${max} for '${name}'`
}
