// Suggests the meaning of the columns of a file, by their headers and their values. Contract 3 §4.
import { columnNameOf } from '../../core/csv/csv-header.ts'
import { FIXED_FIELDS } from '../../core/records/rules/exported-record.ts'
import type { UnitField } from '../../core/datatypes/data-type.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { type Scope, scopeKey } from '../../core/scopes/scope.ts'
import { type Known, knownOf, type Phrase, phraseOf, scoreOf } from './header-scores.ts'
import { fieldOf, FILLERS, foldHeader, meaningOf, UNIT_WORDS } from './header-words.ts'
import type { Part, Target } from './import-profile.ts'
import type { Confidence } from './import-upload.ts'
import { fitsSamples, optionNamesOf } from './sample-fit.ts'
import { createGuesser, type Guesser } from './similar-columns.ts'
import { createScopeFinder, type ScopeFinder } from './scope-words.ts'

interface HeaderWithSamples {
  readonly header: string
  readonly samples: readonly string[]
}

interface Suggested {
  readonly suggestion: Target | null
  readonly confidence: Confidence | null
}

interface ReadableSchema {
  readonly schema: Schema
  /** Attributes that the caller may see. */
  readonly attributes: readonly Attribute[]
}

interface Candidate {
  readonly column: number
  readonly target: Target
  readonly score: number
  /** Whether the scope was guessed. */
  readonly isGuess: boolean
}

const CERTAIN = 75
const POSSIBLE = 40

interface Suggestions {
  readonly schemaId: string | undefined
  readonly columns: readonly Suggested[]
}

/**
 * Suggests targets for the schema that fits best, if there are several. Yields often, since a wide file and a wide schema have many
 * pairs.
 */
export function* suggestTargets(
  columns: readonly HeaderWithSamples[],
  schemas: readonly ReadableSchema[],
  model: Model,
): Generator<void, Suggestions> {
  const findScope = createScopeFinder(model)
  let best: { schemaId: string | undefined; total: number; columns: readonly Suggested[] } = {
    schemaId: undefined,
    total: -1,
    columns: columns.map(() => NOTHING),
  }
  for (const { schema, attributes } of schemas) {
    const known: Known[] = []
    for (const attribute of attributes) {
      known.push(knownOf(attribute))
      // Thousands of options are read here, and not all at once.
      optionNamesOf(attribute)
      yield
    }
    const guess = yield* createGuesser(attributes)
    const candidates: Candidate[][] = []
    for (const [index, column] of columns.entries()) {
      const found = yield* candidatesOf(column, index, known, findScope)
      candidates.push(found.length > 0 ? found : yield* guessesOf(column, index, guess, findScope))
    }
    const chosen = yield* choose(candidates)
    const total = chosen.reduce((sum, { score }) => sum + score, 0)
    if (total > best.total) best = { schemaId: schema.id, total, columns: yield* inOrder(chosen, candidates) }
  }
  return best
}

const NOTHING: Suggested = { suggestion: null, confidence: null }

/** By column. */
type Candidates = readonly (readonly Candidate[])[]

/** Takes the best candidates first. No two columns get the same target. */
function* choose(all: Candidates): Generator<void, Candidate[]> {
  const [columns, targets] = [new Set<number>(), new Set<string>()]
  const chosen: Candidate[] = []
  for (const candidates of yield* byScore(all)) {
    yield
    for (const candidate of candidates) {
      if (columns.has(candidate.column)) continue
      const key = keyOf(candidate.target)
      if (targets.has(key)) continue
      columns.add(candidate.column)
      if (key !== 'ignore') targets.add(key)
      chosen.push(candidate)
    }
  }
  return chosen
}

/** Parts of one column and score, the highest score first. */
function* byScore(all: Candidates): Generator<void, Candidates> {
  const parts = new Map<number, Candidate[][]>()
  for (const candidates of all) {
    yield
    for (const [score, some] of Map.groupBy(candidates, (candidate) => candidate.score))
      parts.set(score, [...(parts.get(score) ?? []), some])
  }
  return [...parts].sort(([one], [other]) => other - one).flatMap(([, some]) => some)
}

function* inOrder(chosen: readonly Candidate[], all: Candidates): Generator<void, Suggested[]> {
  const suggested: Suggested[] = all.map(() => NOTHING)
  for (const { column, target, score, isGuess } of chosen) {
    yield
    const isRivalled = all[column]!.some((other) => other.score >= score - 5 && keyOf(other.target) !== keyOf(target))
    const confidence = score >= CERTAIN && !isGuess && !isRivalled ? 'high' : 'low'
    suggested[column] = { suggestion: target, confidence }
  }
  return suggested
}

function keyOf(target: Target): string {
  if ('field' in target) return target.field
  const { attributeAlias, scope = {}, part = 'amount' } = target
  return `${attributeAlias}[${scopeKey(scope)}].${part}`
}

function* candidatesOf(
  { header, samples }: HeaderWithSamples,
  column: number,
  known: readonly Known[],
  findScope: ScopeFinder,
): Generator<void, Candidate[]> {
  const own = ownColumn(header, known)
  if (own !== undefined) return [{ column, target: own, score: 100, isGuess: false }]
  const phrase = foldHeader(header)
  const scopeOf = scopesOf(phrase, findScope)
  const candidates: Candidate[] = []
  for (const one of known) {
    for (const found of candidateFor(one, { samples, scopeOf, findScope })) candidates.push({ ...found, column })
    yield
  }
  const field = fieldOf(phrase)
  if (field !== undefined) candidates.push({ column, target: { field }, score: 85, isGuess: false })
  return candidates.filter(({ score }) => score >= POSSIBLE)
}

function* guessesOf(
  { header, samples }: HeaderWithSamples,
  column: number,
  guess: Guesser,
  findScope: ScopeFinder,
): Generator<void, Candidate[]> {
  const phrase = foldHeader(header)
  if (phrase === '') return []
  return (yield* guess({ phrase, samples }))
    .filter(({ attribute }) => fitsSamples(samples, attribute))
    .map(({ attribute, score }) => {
      const part = dataTypeOf(attribute).unitField === undefined ? undefined : 'amount'
      const { scope } = findScope(phrase, attribute.dimensionIds)
      return { column, target: targetOf(attribute, scope, part), score, isGuess: true }
    })
}

/** Recognises the columns of our own exports. */
function ownColumn(header: string, known: readonly Known[]): Target | undefined {
  if (['id', 'schemaId', 'parentId'].includes(header)) return { field: header as 'id' }
  if ((FIXED_FIELDS as readonly string[]).includes(header)) return { field: 'ignore' }
  const name = columnNameOf(header)
  const attribute = name && known.find(({ attribute: { alias } }) => alias === name.alias)?.attribute
  if (name === undefined || attribute === undefined) return undefined
  if (!Object.keys(name.scope).every((dimension) => attribute.dimensionIds.includes(dimension))) return undefined
  const hasUnit = dataTypeOf(attribute).unitField !== undefined
  if (name.unitField !== undefined && dataTypeOf(attribute).unitField !== name.unitField) return undefined
  return targetOf(attribute, name.scope, hasUnit ? (name.unitField ?? 'amount') : undefined)
}

function targetOf({ alias }: Attribute, scope: Scope, part: Part | undefined): Target {
  return { attributeAlias: alias, scope, ...(part === undefined ? {} : { part }) }
}

interface ScopeOfPhrase {
  readonly scope: Scope
  readonly rest: Phrase
}

/** Attributes of the same dimensions share the scopes that the header names. */
function scopesOf(header: string, findScope: ScopeFinder): (dimensionIds: readonly string[]) => ScopeOfPhrase {
  const found = new Map<string, ScopeOfPhrase>()
  return (dimensionIds) => {
    const key = dimensionIds.join(' ')
    const before = found.get(key)
    if (before !== undefined) return before
    const { scope, rest } = findScope(header, dimensionIds)
    const made = { scope, rest: phraseOf(rest) }
    found.set(key, made)
    return made
  }
}

interface OfColumn {
  readonly samples: readonly string[]
  readonly scopeOf: ReturnType<typeof scopesOf>
  readonly findScope: ScopeFinder
}

function candidateFor(known: Known, { samples, scopeOf, findScope }: OfColumn): Omit<Candidate, 'column'>[] {
  const { attribute } = known
  const { scope, rest: phrase } = scopeOf(attribute.dimensionIds)
  const { unitField } = dataTypeOf(attribute)
  const unit = unitField === undefined ? undefined : withoutUnitWord(phrase.text, unitField)
  if (unit !== undefined) {
    const score = unit === '' ? 60 : scoreOf(phraseOf(unit), known)
    return [{ target: targetOf(attribute, scope, unitField), score: score - 3, isGuess: unit === '' }]
  }
  const score = Math.max(scoreOf(phrase, known), scoreOf(scopeOf([]).rest, known) - 10)
  if (score < POSSIBLE || !fitsSamples(samples, attribute)) return []
  const guessed =
    Object.keys(scope).length === 0 ? findScope.byLanguage(meaningOf(phrase.text)?.language, attribute) : undefined
  const isScoped = attribute.dimensionIds.length > 0
  const isGuess = guessed !== undefined || (isScoped && Object.keys(scope).length === 0)
  const part = unitField === undefined ? undefined : 'amount'
  return [{ target: targetOf(attribute, guessed ?? scope, part), score, isGuess }]
}

/** Returns the rest of a phrase about units; undefined: the phrase is not about units. */
function withoutUnitWord(phrase: string, unitField: UnitField): string | undefined {
  const words = phrase.split(' ')
  const rest = words.filter((word) => UNIT_WORDS.get(word) !== unitField)
  return rest.length === words.length ? undefined : rest.filter((word) => !FILLERS.has(word)).join(' ')
}
