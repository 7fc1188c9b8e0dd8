// What keeps a file that cannot be right from being delivered. Contract 3 §5, 3 §10.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'

export const GuardsInput = v.pipe(
  exactObject({
    minRecords: v.optional(
      v.pipe(
        v.number('must be a number'),
        v.safeInteger('must be a whole number'),
        v.minValue(0, 'must be 0 or more'),
        v.description('A file with fewer records is not delivered.'),
      ),
    ),
    maxDropPercent: v.optional(
      v.pipe(
        v.number('must be a number'),
        v.minValue(0, 'must be 0 or more'),
        v.maxValue(100, 'must be at most 100'),
        v.description('A file that lost more of the records of the last full file is not delivered.'),
      ),
    ),
  }),
  v.description('Conditions that a full file must meet to be delivered.'),
)
export type RunGuards = v.InferOutput<typeof GuardsInput>

/**
 * What a file breaks, as a sentence, or undefined.
 * @param before records of the last full file that was delivered; undefined: there was none
 */
export function findBrokenGuard(
  { minRecords, maxDropPercent }: RunGuards,
  records: number,
  before: number | undefined,
): string | undefined {
  if (minRecords !== undefined && records < minRecords)
    return `the file has ${records} records, fewer than minRecords, which is ${minRecords}: nothing was delivered`
  if (maxDropPercent === undefined || before === undefined || records >= before) return undefined
  // Multiplied out: the limit itself must pass.
  if ((before - records) * 100 <= maxDropPercent * before) return undefined
  return `the file has ${records} records after ${before} in the last full run, a drop of more than maxDropPercent, which is ${maxDropPercent}: nothing was delivered`
}
