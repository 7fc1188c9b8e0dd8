// Finds the options that cells of an import name, and plans those that an attribute lacks. Contract 3 §4.
import { type Attribute, MAX_OPTIONS } from '../../core/model/rules/attributes.ts'
import { PimletError } from '../../kernel/errors.ts'
import { ID_PATTERN, MAX_NAME } from '../../kernel/input/validation.ts'
import { foldName, oneLine } from './fold-name.ts'

export interface NewOption {
  readonly id: string
  readonly name: string
}

/** Characters of an ID that is made of a name; a number may follow. */
const MAX_SLUG = 120

export class OptionNames {
  readonly #ids = new Set<string>()
  readonly #byName = new Map<string, string>()
  readonly #byFoldedId = new Map<string, string>()
  /** The last number behind each text that IDs of several options begin with. */
  readonly #counts = new Map<string, number>()
  readonly #alias: string
  readonly added: NewOption[] = []

  constructor({ alias, options }: Pick<Attribute, 'alias' | 'options'>) {
    this.#alias = alias
    for (const { id, name, names } of options) {
      this.#note(id, [...Object.values(names ?? {}), name])
    }
  }

  /** The ID of the option that the text names by its ID or by a name, in any case and spacing. */
  find(text: string): string | undefined {
    if (this.#ids.has(text)) return text
    const folded = foldName(text)
    return this.#byName.get(folded) ?? this.#byFoldedId.get(folded)
  }

  /** Plans an option that the text names, unless the text is too long for a name. @throws LIMIT_EXCEEDED */
  add(text: string): void {
    const name = oneLine(text)
    if (name.length > MAX_NAME || this.find(text) !== undefined) return
    if (this.#ids.size >= MAX_OPTIONS)
      throw new PimletError(
        'LIMIT_EXCEEDED',
        `createOptions: the attribute '${this.#alias}' would have more than ${MAX_OPTIONS} options`,
      )
    const id = ID_PATTERN.test(name) ? name : this.#free(slugOf(name))
    this.#note(id, [name])
    this.added.push({ id, name })
  }

  #note(id: string, names: readonly (string | undefined)[]): void {
    this.#ids.add(id)
    for (const name of names) if (name) this.#byName.set(foldName(name), id)
    const folded = foldName(id)
    if (!this.#byFoldedId.has(folded)) this.#byFoldedId.set(folded, id)
  }

  #free(slug: string): string {
    if (!this.#byFoldedId.has(slug)) return slug
    let count = (this.#counts.get(slug) ?? 1) + 1
    while (this.#byFoldedId.has(`${slug}-${count}`)) count += 1
    this.#counts.set(slug, count)
    return `${slug}-${count}`
  }
}

const known = new WeakMap<Attribute, Pick<OptionNames, 'find'>>()

/** The options that an attribute has. Made once, since hundreds of columns and steps may look for them. */
export function optionsOf(attribute: Attribute): Pick<OptionNames, 'find'> {
  const made = known.get(attribute) ?? new OptionNames(attribute)
  known.set(attribute, made)
  return made
}

/** An ID that is made of a name, the same each time. */
export function slugOf(name: string): string {
  const plain = name.replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const slug = plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replaceAll(/^-|-$/g, '')
  if (slug !== '') return slug
  const codes = Array.from(foldName(name), (character) => character.codePointAt(0)!.toString(16))
  return `option-${codes.join('-')}`.slice(0, MAX_SLUG)
}
