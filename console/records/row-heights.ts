// The height of rows, for each user and view: short, medium or tall.
import { ROW_HEIGHTS } from '../grid/window.ts'
import { isTouch, TARGET } from '../kit/touch.ts'
import type { RecordsState } from './records-state.ts'

const HEIGHTS = ['short', 'medium', 'tall'] as const
type Height = (typeof HEIGHTS)[number]

/** Heights as multiples of a short row. */
const TIMES: Readonly<Record<Height, number>> = { short: 1, medium: 2, tall: 3 }
const PLACE = 'heights'
/** The most stored heights: preferences have limited room. */
const MOST = 20

type Kept = readonly (readonly [of: string, height: Height])[]

export function heightOf(records: RecordsState): Height {
  const found = keptIn(records).find(([of]) => of === viewOf(records))?.[1]
  return HEIGHTS.find((one) => one === found) ?? 'short'
}

export function setHeight(records: RecordsState, height: Height): void {
  const of = viewOf(records)
  const others = keptIn(records).filter(([other]) => other !== of)
  const kept: Kept = height === 'short' ? others : [...others, [of, height]]
  records.console.preferences.setPlace(PLACE, kept.slice(-MOST))
}

/** In pixels. */
export function rowHeight(records: RecordsState): number {
  const line = Math.max(ROW_HEIGHTS[records.console.preferences.density.value], isTouch ? TARGET : 0)
  return line * TIMES[heightOf(records)]
}

function viewOf({ console, query }: RecordsState): string {
  return console.router.query.value['view'] ?? query.value.schemaId
}

function keptIn({ console }: RecordsState): Kept {
  const kept = console.preferences.ofPlace(PLACE)
  return Array.isArray(kept) ? kept : []
}
