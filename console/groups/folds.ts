// The groups that a user has folded in each sheet.
import type { Preferences } from '../state/preferences.ts'

/** Some groups are folded, or all except some. */
export interface Folds {
  readonly all: boolean
  readonly except: readonly string[]
}

const PLACE = 'folds'
const UNFOLDED: Folds = { all: false, except: [] }
/** The most stored sheets, and groups of each sheet, because preferences have limited room. */
const MOST_SHEETS = 10
const MOST_FOLDS = 100

interface KeptFolds extends Folds {
  readonly of: string
}

export function readFolds(preferences: Preferences, of: string): Folds {
  return keptIn(preferences).find((one) => one.of === of) ?? UNFOLDED
}

export function writeFolds(preferences: Preferences, of: string, { all, except }: Folds): void {
  const others = keptIn(preferences).filter((one) => one.of !== of)
  const kept = all || except.length > 0 ? [{ of, all, except: except.slice(-MOST_FOLDS) }] : []
  preferences.setPlace(PLACE, [...others, ...kept].slice(-MOST_SHEETS))
}

function keptIn(preferences: Preferences): readonly KeptFolds[] {
  const kept = preferences.ofPlace(PLACE)
  return Array.isArray(kept) ? (kept as KeptFolds[]) : []
}
