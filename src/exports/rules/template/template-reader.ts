// Reads templates of composed columns. A fault has its place, so that an editor can show it. Pure, for the console, too.
import { findNearest } from '../../../kernel/input/nearest.ts'
import type { Scope } from '../../../core/scopes/scope.ts'
import {
  type AttributeSource,
  COLUMN_FIELDS,
  isPrefix,
  type Piece,
  type Source,
  type Step,
  type Template,
} from './template.ts'
import { TemplateFault } from './template-fault.ts'
import { findArgumentFault, ruleOf, STEP_NAMES, type StepName } from './template-steps.ts'

/** Characters of one template. */
export const MAX_TEMPLATE = 5000
/** Pieces of one template. */
const MAX_PIECES = 50

/** @throws TemplateFault */
export function readTemplate(text: string): Template {
  const before = known.get(text)
  if (before !== undefined) return before
  const template = new TemplateReader(text).read()
  if (characters > MAX_KNOWN) {
    known.clear()
    characters = 0
  }
  characters += text.length
  known.set(text, template)
  return template
}

/** Each request about a job reads the job's templates again, so the latest templates are kept. */
const known = new Map<string, Template>()
/** Characters of kept templates. */
const MAX_KNOWN = 50_000
let characters = 0

/** The fault of a template by itself, or undefined. */
export function findTemplateFault(text: string): TemplateFault | undefined {
  try {
    readTemplate(text)
    return undefined
  } catch (error) {
    if (error instanceof TemplateFault) return error
    throw error
  }
}

export function isPiece(part: string | Piece): part is Piece {
  return typeof part !== 'string'
}

const NAME = /[A-Za-z][A-Za-z0-9_-]{0,63}/y
const ID = /[A-Za-z0-9][A-Za-z0-9._~-]{0,127}/y
const QUOTED = /"(?:[^"\\]|\\.)*"/sy
const BARE = /[^{|}]*/y
const BARE_IN_MAP = /[^,:{|}]*/y
const SPACE = /\s*/y
const BRACE = /[{}]/g

class TemplateReader {
  readonly #text: string
  #at = 0
  #pieces = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Template {
    const parts: (string | Piece)[] = []
    let literal = ''
    for (;;) {
      BRACE.lastIndex = this.#at
      const next = BRACE.exec(this.#text)?.index ?? this.#text.length
      literal += this.#text.slice(this.#at, next)
      this.#at = next
      const brace = this.#text[next]
      if (brace === undefined) break
      if (this.#takes(brace + brace)) literal += brace
      else {
        if (literal !== '') parts.push(literal)
        literal = ''
        parts.push(this.#piece())
      }
    }
    return literal === '' ? parts : [...parts, literal]
  }

  #piece(): Piece {
    if (!this.#takes('{'))
      throw new TemplateFault("has a '}' without its '{' (a brace itself is written twice)", this.#at)
    this.#pieces += 1
    if (this.#pieces > MAX_PIECES) throw new TemplateFault(`has more than ${MAX_PIECES} pieces`, this.#at - 1)
    this.#space()
    const from = this.#at
    const [source, to] = this.#source()
    this.#space()
    const steps: Step[] = []
    while (this.#takes('|')) {
      steps.push(this.#step(source, steps.length))
      this.#space()
    }
    if (!this.#takes('}')) throw this.#unexpected("'|' or '}'")
    return { source, steps, place: { from, to } }
  }

  /** The source, and the end of its name. */
  #source(): [Source, number] {
    const word = this.#name('a name')
    if (word === 'categoryPath' && this.#takes(':')) return [this.#categoryPath(), this.#at]
    const prefix = isPrefix(word) && this.#takes('.') ? word : undefined
    const alias = prefix === undefined ? word : this.#name('an alias')
    const to = this.#at
    const field = prefix === undefined ? COLUMN_FIELDS.find((name) => name === word) : undefined
    if (field !== undefined) return [{ kind: 'field', field }, to]
    const scope = this.#takes('[') ? this.#scope() : undefined
    const part = this.#takes('.') ? this.#name('a part') : undefined
    const source: AttributeSource = { kind: 'attribute', alias, isOfParent: prefix === 'parent', scope, part }
    return [source, to]
  }

  #categoryPath(): Source {
    return { kind: 'categoryPath', catalogId: this.#match(ID) ?? this.#fail('the ID of a catalog') }
  }

  #scope(): Scope {
    const pairs = new Map<string, string>()
    while (!this.#takes(']')) {
      if (pairs.size > 0 && !this.#takes(';')) throw this.#unexpected("';' or ']'")
      const at = this.#at
      const dimension = this.#match(ID) ?? this.#fail('a dimension')
      if (pairs.has(dimension)) throw new TemplateFault(`names the dimension '${dimension}' twice`, at)
      if (!this.#takes('=')) throw this.#unexpected("'='")
      pairs.set(dimension, this.#match(ID) ?? this.#fail('a segment'))
    }
    return Object.fromEntries(pairs)
  }

  #step(source: Source, count: number): Step {
    this.#space()
    const at = this.#at
    const word = this.#name('a step')
    const name = STEP_NAMES.find((known) => known === word)
    if (name === undefined) throw new TemplateFault(`has the unknown step '${word}'`, at, findNearest(word, STEP_NAMES))
    const { argument, after } = ruleOf(name)
    if (after !== undefined && !mayFollow(source, count, after))
      throw new TemplateFault(`must have '${name}' directly after ${DIRECTLY_AFTER[after]}`, at)
    if (argument === 'none') return { name, argument: undefined, at: this.#at }
    if (!this.#takes(':')) throw this.#unexpected(`':' and what '${name}' needs`)
    this.#space()
    const begin = this.#at
    return { name, argument: argument === 'map' ? this.#map() : this.#argument(name), at: begin }
  }

  #argument(name: StepName): string {
    const at = this.#at
    const text = this.#words(BARE)
    const fault = findArgumentFault(name, text)
    if (fault !== undefined) throw new TemplateFault(fault, at)
    return text
  }

  #map(): ReadonlyMap<string, string> {
    if (!this.#takes('{')) throw this.#unexpected("'{'")
    const pairs = new Map<string, string>()
    for (;;) {
      this.#space()
      const at = this.#at
      const from = this.#words(BARE_IN_MAP)
      if (pairs.has(from)) throw new TemplateFault('maps a text twice', at)
      this.#space()
      if (!this.#takes(':')) throw this.#unexpected("':'")
      this.#space()
      pairs.set(from, this.#words(BARE_IN_MAP))
      this.#space()
      if (this.#takes('}')) return pairs
      if (!this.#takes(',')) throw this.#unexpected("',' or '}'")
    }
  }

  /** A text in double quotes, as in JSON, or without them. */
  #words(bare: RegExp): string {
    if (this.#text[this.#at] !== '"') {
      const text = this.#match(bare)!.trim()
      return text === '' ? this.#fail('a text') : text
    }
    const at = this.#at
    const quoted = this.#match(QUOTED)
    if (quoted === undefined) throw new TemplateFault("has a '\"' without its end", at)
    try {
      return JSON.parse(quoted) as string
    } catch {
      throw new TemplateFault('has a quoted text that JSON does not take', at)
    }
  }

  #name(what: string): string {
    return this.#match(NAME) ?? this.#fail(what)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #space(): void {
    this.#match(SPACE)
  }

  #takes(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#at)) return false
    this.#at += sign.length
    return true
  }

  #fail(what: string): never {
    throw this.#unexpected(what)
  }

  #unexpected(what: string): TemplateFault {
    return new TemplateFault(`needs ${what}`, this.#at)
  }
}

const DIRECTLY_AFTER = {
  attribute: 'a measurement without a part',
  categoryPath: 'a category path',
} as const

function mayFollow(source: Source, count: number, after: 'attribute' | 'categoryPath'): boolean {
  return count === 0 && source.kind === after && (source.kind !== 'attribute' || source.part === undefined)
}
