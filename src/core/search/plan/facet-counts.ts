// Counts how found records are spread over values. If all records are found, whole lists of the index are read;
// otherwise single records. The plain rule (`core/search/rules/facets.ts`) counts facets that the index does not cover.
import { findSearched, searchedAlias } from '../rules/searched-attribute.ts'
import type { EqualityKey } from '../../datatypes/data-type.ts'
import { dataTypeOf } from '../../datatypes/data-types.ts'
import type { Schema } from '../../model/rules/model.ts'
import { agree, restrictScope } from '../../scopes/scope.ts'
import { bucketOf, type Facet, isOnFacetField, orderOfFacet } from '../rules/facets.ts'
import { scoredState, scoresOfPrints } from '../rules/scoped-score.ts'
import type { Asked } from './asked.ts'
import { labelsOfCells } from './cells.ts'
import { type CellScore, scoresOfCells } from './facet-scores.ts'
import { FacetTally } from './facet-tally.ts'
import { FIELD_ALIASES, PRINT_ALIAS, requiresAny } from './field-rows.ts'
import { eachList, eachRow } from './key-lists.ts'
import { ListTally } from './list-tally.ts'
import type { Numbers } from './record-numbers.ts'
import { readScores } from './record-scores.ts'
import { isScoreStored } from './score-sets.ts'
import { readEach, type ReadRecord, type SearchIndex } from './search-index.ts'
import type { IndexKey } from './sets.ts'
import { isUnshadowed } from './to-sets.ts'
import { isScoreIndexed } from '../../records/rules/score-cost.ts'

/** The place of a facet's values in one schema. */
interface FacetPlace {
  readonly attribute: number
  readonly scopes: readonly number[]
  readonly label: (key: IndexKey) => EqualityKey
  /** True: a record has at most one key in the place. */
  readonly isSingle: boolean
}

export interface FacetQuestion {
  readonly facets: readonly Facet[]
  readonly asked: Asked
  /** False: index data of the schemas must not be used. */
  readonly isIndexed: boolean
  /** Returns the findings about a record by the plain rule. */
  readonly look: (record: ReadRecord) => (facet: Facet) => FacetFinding
  readonly schemaIds: readonly string[]
  /** Number of records of the schemas. */
  readonly records: number
}

interface FacetFinding {
  readonly keys: readonly EqualityKey[]
  /** Undefined: the facet needs no score, or the record has no score. */
  readonly percentage: number | undefined
}

/** Records processed before the event loop gets a turn. */
const CHUNK = 1000
/** From this share of all records, reading a whole list is faster than reading the cells of each record. */
const LARGE_SHARE = 0.1

/**
 * @param members found records in the index; all: every record of the schemas
 * @param others found records outside of the index
 */
export async function countFacets(
  question: FacetQuestion,
  members: 'all' | Numbers,
  others: Numbers,
): Promise<readonly FacetTally[]> {
  const tallies = question.facets.map((facet) => new FacetTally(orderOfFacet(facet, question.asked.schemas), facet))
  const { asked, isIndexed } = question
  const places = question.facets.map((facet) => (isIndexed ? placesOfFacet(facet, asked) : undefined))
  const scores = question.facets.map((facet) => (isIndexed ? scoresOfCells(facet, asked) : undefined))
  const byCells: number[] = []
  const byRule: number[] = []
  for (const [index, found] of places.entries()) {
    const isScored = question.facets[index]!.completeness !== undefined
    if (found === undefined || (isScored && scores[index] === undefined)) byRule.push(index)
    else if (members === 'all' && !isScored)
      for (const place of found) await addWhole(place, tallies[index]!, asked.index)
    else if (!isInLists(found, members, question) || !(await addLists(index, found, members, question, tallies)))
      byCells.push(index)
  }
  if (byCells.length > 0) await addByCells(byCells, { places, scores }, members, question, tallies)
  if (byRule.length > 0) await addByRule(byRule, members === 'all' ? question.schemaIds : members, question, tallies)
  if (others.length > 0) await addByRule([...question.facets.keys()], others, question, tallies)
  return tallies
}

function isInLists(places: readonly FacetPlace[], members: 'all' | Numbers, { records }: FacetQuestion): boolean {
  const isLarge = members === 'all' || members.length > records * LARGE_SHARE
  return isLarge && places.every(({ scopes }) => scopes.length === 1)
}

/** Returns the places of a facet; undefined: the index does not cover the facet. */
function placesOfFacet(facet: Facet, asked: Asked): readonly FacetPlace[] | undefined {
  const places: FacetPlace[] = []
  for (const schema of asked.schemas) {
    const found = isOnFacetField(facet) ? placeOfField(facet, schema, asked) : placeOfAttribute(facet, schema, asked)
    if (found === undefined) return undefined
    if (found !== 'none') places.push(found)
  }
  return places
}

function placeOfAttribute(
  facet: Exclude<Facet, { field: unknown }>,
  schema: Schema,
  { lookUp, model }: Asked,
): FacetPlace | 'none' | undefined {
  const { scope } = facet
  const attribute = findSearched(schema, facet)
  const indexed = lookUp(searchedAlias(facet)).get(schema.id)
  if (attribute === undefined || indexed === undefined) return 'none'
  const wanted = restrictScope(scope ?? {}, attribute.dimensionIds)
  const scopes = indexed.scopes.filter((one) => agree(one.scope, wanted))
  if (scopes.length === 0) return 'none'
  if (!isUnshadowed({ scope }, attribute, scopes, model)) return undefined
  const isSingle = scopes.length === 1 && dataTypeOf(attribute).keysPerValue === 'one'
  return { attribute: indexed.n, scopes: scopes.map(({ n }) => n), label: (key) => key as EqualityKey, isSingle }
}

function placeOfField(
  { field, scope = {}, stateId }: Extract<Facet, { field: unknown }>,
  schema: Schema,
  asked: Asked,
): FacetPlace | 'none' | undefined {
  const placeAt = (alias: string, label: FacetPlace['label']): FacetPlace | 'none' => {
    const indexed = asked.lookUp(alias).get(schema.id)
    const isSingle = field !== 'categoryId'
    return indexed === undefined
      ? 'none'
      : { attribute: indexed.n, scopes: indexed.scopes.map(({ n }) => n), label, isSingle }
  }
  if (field === 'schemaId') return placeAt(FIELD_ALIASES.lifecycleStateId, () => schema.id)
  if (field !== 'completeness') return placeAt(FIELD_ALIASES[field], (key) => key as EqualityKey)
  if (!isScoreIndexed(schema, asked.model)) return undefined
  if (stateId !== undefined) {
    const state = scoredState(asked.model.workflows.get(schema.workflowId), '', stateId)
    if (state === undefined) return 'none'
    if (!requiresAny(schema)) return placeAt(FIELD_ALIASES.completeness, () => bucketOf(100))
    const scoreOf = scoresOfPrints(schema, { scope, stateId: state }, asked)
    return placeAt(
      PRINT_ALIAS,
      onceInARow((key) => bucketOf(scoreOf(String(key)).percentage)),
    )
  }
  if (!isScoreStored({ scope }, schema, asked.role)) return undefined
  return placeAt(FIELD_ALIASES.completeness, (key) => bucketOf(Number(key)))
}

/** Lists are ordered by key, so the label of a repeated key is made once. */
function onceInARow(label: FacetPlace['label']): FacetPlace['label'] {
  let last: { readonly key: IndexKey; readonly label: EqualityKey } | undefined
  return (key) => {
    if (last?.key !== key) last = { key, label: label(key) }
    return last.label
  }
}

async function addWhole(place: FacetPlace, tally: FacetTally, index: SearchIndex): Promise<void> {
  const { scopes, label, isSingle } = place
  if (tally.order !== undefined) {
    for (const scope of scopes) await addEnds(place, scope, tally, index)
    tally.withValue += await index.filled(place, isSingle)
    return
  }
  const counts = await index.tally(place)
  let all = 0
  for (const [key, count] of counts) {
    tally.count(label(key), count)
    all += count
    const pause = index.breathe()
    if (pause !== undefined) await pause
  }
  tally.withValue += isSingle ? all : await index.filled(place, isSingle)
}

/** Adds the least and the greatest value. */
async function addEnds(
  { attribute, label }: FacetPlace,
  scope: number,
  tally: FacetTally,
  index: SearchIndex,
): Promise<void> {
  for (const direction of ['asc', 'desc'] as const) {
    const [end] = await index.walk({ attribute, scope, direction, limit: 1 })
    if (end !== undefined) tally.count(label(end[0]), 1)
  }
}

/**
 * Counts places with one scope, in which a record has each key once. Returns false if the lists of the index do not
 * give the scores.
 */
async function addLists(
  facet: number,
  places: readonly FacetPlace[],
  found: 'all' | Numbers,
  { facets, asked, schemaIds }: FacetQuestion,
  tallies: readonly FacetTally[],
): Promise<boolean> {
  const { index } = asked
  const members = found === 'all' ? await index.read({ kind: 'schemas', schemaIds, isExact: true }) : found
  const end = (members.at(-1) ?? 0) + 1
  const scored = facets[facet]!.completeness
  const scores = scored && (await readScores(scored, asked, end))
  if (scored !== undefined && scores === undefined) return false
  const tally = new ListTally(tallies[facet]!, members, scores)
  // Numbers and dates may differ in each record.
  const each = tallies[facet]!.order === undefined ? eachList : eachRow
  for (const { attribute, scopes, label } of places)
    await each({ attribute, scopes: scopes[0]! }, index, (key, records) => tally.add(label(key), records))
  tally.addMissing()
  return true
}

async function addByCells(
  facets: readonly number[],
  { places, scores }: { readonly places: readonly Found[]; readonly scores: readonly (CellScore | undefined)[] },
  members: 'all' | Numbers,
  { asked: { index }, schemaIds }: FacetQuestion,
  tallies: readonly FacetTally[],
): Promise<void> {
  const counted = facets.map((at) => ({
    tally: tallies[at]!,
    readers: places[at]!.map((place) => labelsOfCells(place, place.label)),
    scoreOf: scores[at],
  }))
  for await (const chunk of chunksOf(members === 'all' ? schemaIds : members, CHUNK, index))
    for (const [, cells] of await index.cells(chunk)) {
      for (const { tally, readers, scoreOf } of counted) tally.add(firstOf(cells, readers), scoreOf?.(cells))
      const pause = index.breathe()
      if (pause !== undefined) await pause
    }
}

type Found = readonly FacetPlace[] | undefined

/** A record belongs to one schema, so at most one of the places has keys. */
function firstOf(
  cells: string,
  readers: readonly ((cells: string) => readonly EqualityKey[])[],
): readonly EqualityKey[] {
  for (const read of readers) {
    const keys = read(cells)
    if (keys.length > 0) return keys
  }
  return []
}

async function addByRule(
  facets: readonly number[],
  members: Numbers | readonly string[],
  question: FacetQuestion,
  tallies: readonly FacetTally[],
): Promise<void> {
  const { index } = question.asked
  for await (const chunk of chunksOf(members, CHUNK / 10, index))
    await readEach(chunk, index, (record) => {
      const findingOf = question.look(record)
      for (const facet of facets) {
        const { keys, percentage } = findingOf(question.facets[facet]!)
        tallies[facet]!.add(keys, percentage)
      }
    })
}

/** @param members records, or all of some schemas */
async function* chunksOf(
  members: Numbers | readonly string[],
  size: number,
  index: SearchIndex,
): AsyncGenerator<Numbers> {
  for (let at = 0, after = 0; ; at += size) {
    const isGiven = members instanceof Float64Array
    const chunk: Numbers = isGiven ? members.subarray(at, at + size) : await index.next(members, after, size)
    if (chunk.length === 0) return
    after = chunk.at(-1)!
    yield chunk
  }
}
