// The steps of templates, by name, and the arguments that they take. `template-values.ts` applies them.

interface StepRule {
  readonly argument: 'none' | 'text' | 'map' | WholeNumber
  /** What the step must directly follow, as it needs more than a text. */
  readonly after?: 'attribute' | 'categoryPath'
}

/** A whole number within limits. */
interface WholeNumber {
  readonly min: number
  readonly max: number
}

export const STEPS = {
  plainText: { argument: 'none' },
  cut: { argument: { min: 1, max: 100_000 } },
  upper: { argument: 'none' },
  lower: { argument: 'none' },
  fixed: { argument: { min: 0, max: 10 } },
  unit: { argument: 'text', after: 'attribute' },
  path: { argument: 'text', after: 'categoryPath' },
  url: { argument: 'none' },
  default: { argument: 'text' },
  join: { argument: 'text' },
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
  if (typeof argument === 'string') return undefined
  const { min, max } = argument
  const isRight = /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
  return isRight ? undefined : `needs a whole number from ${min} to ${max} for '${name}'`
}
