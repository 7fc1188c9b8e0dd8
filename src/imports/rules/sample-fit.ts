// Whether what stands in a column can be of an attribute at all. Contract 3 §4.
import type { Attribute } from '../../core/model/rules/attributes.ts'
import { foldHeader } from './header-words.ts'

const AMOUNT = /^[^\d]{0,4}[+-]?[\d.,' ]*\d[\d.,' ]*\s*[^\d]{0,10}$/
const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}/
const TRUTH = /^(true|false|yes|no|ja|nein|oui|non|si|0|1|x|wahr|falsch|y|n|j)$/i

/** Without samples anything can be. */
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
