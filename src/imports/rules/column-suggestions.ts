// Suggests what the columns of a file mean, by their headers and their values. Contract 3 §4.
import { columnNameOf } from '../../core/csv/csv-header.ts'
import type { UnitField } from '../../core/datatypes/data-type.ts'
import { dataTypeOf } from '../../core/datatypes/data-types.ts'
import type { Attribute } from '../../core/model/rules/attributes.ts'
import type { Model, Schema } from '../../core/model/rules/model.ts'
import { type Scope, scopeKey } from '../../core/scopes/scope.ts'
import { fieldOf, FILLERS, foldHeader, meaningOf, UNIT_WORDS, UNITS } from './header-words.ts'
import type { Part, Target } from './import-profile.ts'
import type { Confidence } from './import-upload.ts'
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

/** Suggests targets for the schema that fits best, if there are several. */
export function suggestTargets(
  columns: readonly HeaderWithSamples[],
  schemas: readonly ReadableSchema[],
  model: Model,
): { readonly schemaId: string | undefined; readonly columns: readonly Suggested[] } {
  const findScope = createScopeFinder(model)
  let best: { schemaId: string | undefined; total: number; columns: readonly Suggested[] } = {
    schemaId: undefined,
    total: -1,
    columns: columns.map(() => NOTHING),
  }
  for (const { schema, attributes } of schemas) {
    const candidates = columns.flatMap((column, index) => candidatesOf(column, index, attributes, findScope))
    const chosen = choose(candidates)
    const total = chosen.reduce((sum, { score }) => sum + score, 0)
    if (total > best.total) best = { schemaId: schema.id, total, columns: inOrder(columns.length, chosen, candidates) }
  }
  return best
}

const NOTHING: Suggested = { suggestion: null, confidence: null }

/** Takes the best candidates first. No two columns get the same target. */
function choose(candidates: readonly Candidate[]): Candidate[] {
  const [columns, targets] = [new Set<number>(), new Set<string>()]
  const chosen: Candidate[] = []
  for (const candidate of candidates.toSorted((one, other) => other.score - one.score)) {
    const key = keyOf(candidate.target)
    if (columns.has(candidate.column) || targets.has(key)) continue
    columns.add(candidate.column)
    if (key !== 'ignore') targets.add(key)
    chosen.push(candidate)
  }
  return chosen
}

function inOrder(count: number, chosen: readonly Candidate[], all: readonly Candidate[]): Suggested[] {
  const suggested: Suggested[] = Array.from({ length: count }, () => NOTHING)
  for (const { column, target, score, isGuess } of chosen) {
    const isRivalled = all.some(
      (other) => other.column === column && other.score >= score - 5 && keyOf(other.target) !== keyOf(target),
    )
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

function candidatesOf(
  { header, samples }: HeaderWithSamples,
  column: number,
  attributes: readonly Attribute[],
  findScope: ScopeFinder,
): Candidate[] {
  const own = ownColumn(header, attributes)
  if (own !== undefined) return [{ column, target: own, score: 100, isGuess: false }]
  const phrase = foldHeader(header)
  const found = attributes.flatMap((attribute) => candidateFor(attribute, phrase, samples, findScope))
  const field = fieldOf(phrase)
  const candidates = found.map((one) => ({ ...one, column }))
  if (field !== undefined) candidates.push({ column, target: { field }, score: 85, isGuess: false })
  return candidates.filter(({ score }) => score >= POSSIBLE)
}

/** Recognises the columns of our own exports. */
function ownColumn(header: string, attributes: readonly Attribute[]): Target | undefined {
  if (['id', 'schemaId', 'parentId'].includes(header)) return { field: header as 'id' }
  if (['lifecycleStateId', 'createdAt', 'updatedAt'].includes(header)) return { field: 'ignore' }
  const name = columnNameOf(header)
  const attribute = name && attributes.find(({ alias }) => alias === name.alias)
  if (name === undefined || attribute === undefined) return undefined
  if (!Object.keys(name.scope).every((dimension) => attribute.dimensionIds.includes(dimension))) return undefined
  const hasUnit = dataTypeOf(attribute).unitField !== undefined
  if (name.unitField !== undefined && dataTypeOf(attribute).unitField !== name.unitField) return undefined
  return targetOf(attribute, name.scope, hasUnit ? (name.unitField ?? 'amount') : undefined)
}

function targetOf({ alias }: Attribute, scope: Scope, part: Part | undefined): Target {
  return { attributeAlias: alias, scope, ...(part === undefined ? {} : { part }) }
}

function candidateFor(
  attribute: Attribute,
  header: string,
  samples: readonly string[],
  findScope: ScopeFinder,
): Omit<Candidate, 'column'>[] {
  const { scope, rest: phrase } = findScope(header, attribute.dimensionIds)
  const { unitField } = dataTypeOf(attribute)
  const unit = unitField === undefined ? undefined : withoutUnitWord(phrase, unitField)
  if (unit !== undefined) {
    const score = unit === '' ? 60 : scoreOf(unit, attribute)
    return [{ target: targetOf(attribute, scope, unitField), score: score - 3, isGuess: unit === '' }]
  }
  const score = Math.max(scoreOf(phrase, attribute), scoreOf(header, attribute) - 10)
  if (score < POSSIBLE || !fitsSamples(samples, attribute)) return []
  const guessed =
    Object.keys(scope).length === 0 ? findScope.byLanguage(meaningOf(phrase)?.language, attribute) : undefined
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

function scoreOf(phrase: string, { alias, name, names }: Attribute): number {
  const known = [alias, name, ...Object.values(names ?? {})].filter((text) => text !== undefined).map(foldHeader)
  if (known.includes(phrase)) return 100
  const plain = withoutFillers(phrase)
  if (known.some((text) => withoutFillers(text) === plain)) return 90
  const concepts = new Set(known.flatMap((text) => conceptsOf(text)))
  if (conceptsOf(phrase).some((concept) => concepts.has(concept))) return 80
  const words = plain.split(' ')
  const isPart = known.some((text) => text.length > 2 && text.split(' ').every((word) => words.includes(word)))
  return isPart ? 50 : 0
}

function conceptsOf(phrase: string): string[] {
  return [phrase, withoutFillers(phrase)].flatMap((text) => meaningOf(text)?.concept ?? []).slice(0, 1)
}

function withoutFillers(phrase: string): string {
  const words = phrase.split(' ')
  const rest = words.filter((word, index) => !FILLERS.has(word) && (index === 0 || !UNITS.has(word)))
  return rest.length === 0 ? phrase : rest.join(' ')
}

const AMOUNT = /^[^\d]{0,4}[+-]?[\d.,' ]*\d[\d.,' ]*\s*[^\d]{0,10}$/
const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/
const TRUTH = /^(true|false|yes|no|ja|nein|oui|non|si|0|1|x|wahr|falsch|y|n|j)$/i

/** Without samples, every attribute fits. */
function fitsSamples(samples: readonly string[], attribute: Attribute): boolean {
  if (samples.length === 0) return true
  const fits = (test: (sample: string) => boolean): boolean => samples.some((sample) => test(sample.trim()))
  switch (attribute.dataType) {
    case 'number':
    case 'price':
    case 'measurement':
      return fits((sample) => AMOUNT.test(sample))
    case 'date':
    case 'dateTime':
      return fits((sample) => DATE.test(sample))
    case 'boolean':
      return fits((sample) => TRUTH.test(sample))
    case 'url':
      return fits((sample) => /^(https?:\/\/|www\.)/i.test(sample))
    case 'select':
    case 'multiSelect':
      return attribute.options.length === 0 || fits((sample) => namesOption(sample, attribute))
    default:
      return true
  }
}

function namesOption(sample: string, { options }: Attribute): boolean {
  const known = new Set(
    options.flatMap(({ id, name, names }) =>
      [id, name, ...Object.values(names ?? {})].map((text) => foldHeader(text ?? '')),
    ),
  )
  return sample.split(/[|;,/]/).some((part) => known.has(foldHeader(part)))
}
