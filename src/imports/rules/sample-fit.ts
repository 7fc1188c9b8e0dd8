// Whether the cells of a column can be values of an attribute. Pure. Contract 3 §4.
import type { Attribute } from '../../core/model/rules/attributes.ts'
import { foldHeader } from './header-words.ts'

const AMOUNT = /^[^\d]{0,4}[+-]?[\d.,' ]*\d[\d.,' ]*\s*[^\d]{0,10}$/
const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/
const TRUTH = /^(true|false|yes|no|ja|nein|oui|non|si|0|1|x|wahr|falsch|y|n|j)$/i

/** Whether a cell can be of the attribute. Without samples, every attribute fits. */
export function fitsSamples(samples: readonly string[], attribute: Attribute): boolean {
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
      return attribute.options.length === 0 || shareOfOptions(partsOf(samples), attribute) > 0
    default:
      return true
  }
}

const optionNames = new WeakMap<Attribute, ReadonlySet<string>>()

export function optionNamesOf(attribute: Attribute): ReadonlySet<string> {
  const before = optionNames.get(attribute)
  if (before !== undefined) return before
  const texts = attribute.options.flatMap(({ id, name, names }) => [id, name, ...Object.values(names ?? {})])
  const found = new Set(texts.map((text) => foldHeader(text ?? '')))
  optionNames.set(attribute, found)
  return found
}

/** The texts in cells that may name options. */
export function partsOf(samples: readonly string[]): string[] {
  return samples.flatMap((sample) => sample.split(/[|;,/]/)).map(foldHeader)
}

/** How many of the parts name options, from 0 to 1. */
export function shareOfOptions(parts: readonly string[], attribute: Attribute): number {
  const known = optionNamesOf(attribute)
  return parts.filter((part) => known.has(part)).length / parts.length
}
