// Options of a list, by their names or by their IDs: `select`, `multiSelect`.
import { type Field, type FieldAttribute, type Locale, misread } from './field.ts'

type Attribute = Pick<FieldAttribute, 'options'>

/** Returns the name of an option if no other option has this name, or else the ID. */
export function optionName(id: string, { options }: Attribute, { nameOf }: Locale): string {
  const option = options.find((one) => one.id === id)
  if (option === undefined) return id
  const name = nameOf(option)
  const isAmbiguous = options.some((one) => one.id !== id && (nameOf(one) === name || one.id === name))
  return isAmbiguous ? id : name
}

/** Returns the ID of the option that the text names: by name first, then by ID, then ignoring case. */
function optionCalled(text: string, { options }: Attribute, { nameOf }: Locale): string | undefined {
  const word = text.trim()
  const named = options.filter((option) => nameOf(option) === word)
  if (named.length === 1) return named[0]!.id
  if (options.some(({ id }) => id === word)) return word
  const folded = word.toLowerCase()
  const alike = options.filter((one) => nameOf(one).toLowerCase() === folded || one.id.toLowerCase() === folded)
  return alike.length === 1 ? alike[0]!.id : undefined
}

const unknown = (text: string) => misread(`names no option: ${text.trim().slice(0, 60)}`, 'option')

export const select: Field = {
  editor: 'choice',
  align: 'start',
  show: (value, attribute, locale) => optionName(String(value), attribute, locale),
  write: (value, attribute, locale) => optionName(String(value), attribute, locale),
  read: (text, attribute, locale) => {
    if (text.trim() === '') return { value: null }
    const id = optionCalled(text, attribute, locale)
    return id === undefined ? unknown(text) : { value: id }
  },
}

const SEPARATOR = '; '

export const multiSelect: Field = {
  editor: 'choices',
  align: 'start',
  show: (value, attribute, locale) =>
    (value as readonly string[]).map((id) => optionName(id, attribute, locale)).join(', '),
  // If a name contains the separator, IDs are written instead: IDs never contain the separator.
  write: (value, attribute, locale) => {
    const ids = value as readonly string[]
    const names = ids.map((id) => optionName(id, attribute, locale))
    const areClear = names.every((name) => !/[;|\n]/.test(name) && name.trim() === name)
    return areClear ? names.join(SEPARATOR) : ids.join('|')
  },
  read: (text, attribute, locale) => {
    const words = text.split(/[;|\n]/).filter((word) => word.trim() !== '')
    if (words.length === 0) return { value: null }
    const ids: string[] = []
    for (const word of words) {
      const id = optionCalled(word, attribute, locale)
      if (id === undefined) return unknown(word)
      if (!ids.includes(id)) ids.push(id)
    }
    return { value: ids }
  },
}
