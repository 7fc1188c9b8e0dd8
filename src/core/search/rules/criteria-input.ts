// Parses the list of criteria from a client. Number and depth are checked before any criterion is parsed.
// Contract 3 §1, 3 §10.
import * as v from 'valibot'
import { boundedArray } from '../../../kernel/input/validation.ts'
import { HiddenRule } from '../../model/rules/hidden-rule.ts'
import { Criterion } from './criterion.ts'

/** The most criteria of a search, including criteria in groups. */
const MAX_CRITERIA = 200
/** Most levels of nested groups; the body is no level. */
const MAX_LEVELS = 5

const criteriaArray = v.array(Criterion, 'must be an array')
const shownArray = v.array(v.union([Criterion, HiddenRule]), 'must be an array')

function boundedCriteria<Item extends v.GenericSchema>(array: v.ArraySchema<Item, string>, most = MAX_CRITERIA) {
  const bounded = boundedArray(array, (items) => isTooMany(items, most) || isDeeper(items, MAX_LEVELS))
  return v.pipe(
    bounded,
    v.check(
      (criteria) => !isTooMany(criteria, most),
      `must have at most ${most} criteria, those in groups included, and as many groups`,
    ),
    v.check((criteria) => !isDeeper(criteria, MAX_LEVELS), `must nest groups to at most ${MAX_LEVELS} levels`),
  )
}

export const CriteriaInput = boundedCriteria(criteriaArray)
/** @param most the most criteria, including criteria in groups */
export const criteriaUpTo = (most: number) => boundedCriteria(criteriaArray, most)
/** Also accepts placeholders of criteria that are hidden from the role, sent back unchanged. */
export const ShownCriteriaInput = boundedCriteria(shownArray)

/** Groups do not count as criteria; the same limit applies to groups separately. */
function isTooMany(criteria: readonly unknown[], most: number): boolean {
  let [count, groups] = [0, 0]
  for (const lists = [criteria]; lists.length > 0;) {
    const list = lists.pop()!
    if (list.length > 2 * most) return true
    const inner = list.flatMap((item) => membersOf(item) ?? [])
    count += list.length - inner.length
    groups += inner.length
    if (count > most || groups > most) return true
    lists.push(...inner)
  }
  return false
}

function membersOf(item: unknown): [readonly unknown[]] | undefined {
  const inner = typeof item === 'object' && item !== null && 'criteria' in item ? item.criteria : undefined
  return Array.isArray(inner) ? [inner] : undefined
}

function isDeeper(criteria: readonly unknown[], levels: number): boolean {
  return criteria.some((item) => {
    const [inner] = membersOf(item) ?? []
    return inner !== undefined && (levels === 0 || isDeeper(inner, levels - 1))
  })
}
