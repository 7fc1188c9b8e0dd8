// The actions of `pimlet bulk`, from flags as people write them. Contract 3 §8.
import { parseScopeKey } from '../core/scopes/scope.ts'
import { UsageError } from '../kernel/machine/start-error.ts'
import type { VisibleModel } from './known-names.ts'

/** Data types whose values are written as they are; others as JSON. */
const TEXTS = ['text', 'richText', 'url', 'select', 'date', 'dateTime', 'reference']

interface Setting {
  readonly alias: string
  readonly scope: Record<string, string>
  readonly text: string
}

/** `name[language=de]=Hemd`; without anything behind the sign the value goes. @throws UsageError */
export function readSetting(given: string): Setting {
  const [, alias, scope = '', text] = /^([A-Za-z][\w-]*)(?:\[([^\]]*)\])?=([^]*)$/.exec(given) ?? []
  const isScope = scope === '' || scope.split(';').every((pair) => /^[^=]+=[^=]+$/.test(pair))
  if (alias === undefined || text === undefined || !isScope)
    throw new UsageError(`--set '${given}' is not of the form alias=value or alias[language=de;market=eu]=value`)
  return { alias, scope: parseScopeKey(scope), text }
}

/** `{ patchValues }` of all that is set. @throws UsageError */
export function patchOf(settings: readonly string[], schemas: VisibleModel['schemas']): object {
  const byAlias = Map.groupBy(settings.map(readSetting), ({ alias }) => alias)
  const values = [...byAlias].map(([alias, some]) => {
    const types = new Set(
      schemas.flatMap(({ attributes }) => attributes.filter((one) => one.alias === alias).map((one) => one.dataType)),
    )
    const isText = [...types].map((type) => TEXTS.includes(type))
    if (new Set(isText).size > 1) throw new UsageError(`'${alias}' is of several data types: name a schema by --schema`)
    return [alias, some.map(({ scope, text }) => ({ scope, value: readValue(alias, text, isText[0]!) }))]
  })
  return { patchValues: Object.fromEntries(values) as object }
}

function readValue(alias: string, text: string, isText: boolean): unknown {
  if (text === '') return null
  if (isText) return text
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const example = `{"amount":29.9,"currency":"EUR"}`
    throw new UsageError(`--set ${alias}: '${text}' is no JSON, such as 5, true or ${example}`, { cause: error })
  }
}
