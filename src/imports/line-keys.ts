// The key by which each line of one file finds its record: it may stand in the file once. Contract 3 §12.
import { readRowHead } from '../core/csv/csv-row.ts'
import type { CsvHeader } from '../core/csv/csv-header.ts'
import { conflict, PimletError, shorten } from '../kernel/errors.ts'
import type { ImportSetting } from './rules/import-setting.ts'
import type { Model } from '../core/model/rules/model.ts'
import { prepare, type RecordLine } from './import-line.ts'
import { matchKeysOf } from './matching.ts'
import { SeenKeys } from './seen-keys.ts'

type KeySetting = Pick<ImportSetting, 'mode' | 'matchBy' | 'schemaId' | 'duplicates'>

export interface KeyContext {
  readonly header: CsvHeader | undefined
  readonly model: Model
}

export class LineKeys {
  readonly #setting: KeySetting
  readonly #seen = new SeenKeys()

  constructor(setting: KeySetting) {
    this.#setting = setting
  }

  /** Notes the keys of a line, lines in their order. What a line is refused with whose key an earlier one has. */
  take(line: RecordLine, context: KeyContext): PimletError | undefined {
    const { duplicates } = this.#setting
    for (const { key, name } of this.#keysOf(line, context)) {
      const other = this.#seen.get(key)
      if (duplicates === 'fail' && other !== undefined && other < line.line)
        return conflict(`${name} is in line ${other} of the file already; duplicates=last takes the last line`)
      if (other === undefined || other < line.line) this.#seen.set(key, line.line)
    }
    return undefined
  }

  /** The error of a waiting line whose key a later line took; undefined: there is none. */
  takeAgain(line: RecordLine, context: KeyContext): PimletError | undefined {
    if (this.#setting.duplicates === 'fail') return undefined
    for (const { key, name } of this.#keysOf(line, context)) {
      const other = this.#seen.get(key)
      if (other !== undefined && other > line.line)
        return conflict(`${name} is in line ${other} of the file, too, which is taken`)
    }
    return undefined
  }

  /** None where the line cannot be read: it fails for that. */
  #keysOf(line: RecordLine, { header, model }: KeyContext): { readonly key: string; readonly name: string }[] {
    const { mode, matchBy, schemaId } = this.#setting
    const prepared = prepare(line, header)
    const head = headOf(prepared, header)
    if (mode === 'create' || matchBy === undefined)
      return typeof head.id === 'string' ? [{ key: head.id, name: `The ID '${shorten(head.id, 128)}'` }] : []
    const named = head.schemaId ?? schemaId
    const schema = typeof named === 'string' ? model.schemas.get(named) : undefined
    if (schema === undefined) return []
    try {
      const { keys, asked } = matchKeysOf(model, { schema, matchBy, header }, prepared)
      const name = `The ${matchBy} '${shorten(asked, 128)}'`
      return keys.map(({ alias, scope, key }) => ({ key: JSON.stringify([schema.id, alias, scope, key]), name }))
    } catch (error) {
      if (error instanceof PimletError) return []
      throw error
    }
  }
}

/** What the line says itself of its record. */
export function headOf(
  line: RecordLine,
  header: CsvHeader | undefined,
): { readonly id?: unknown; readonly schemaId?: unknown } {
  if (line.kind === 'row') return readRowHead(line.cells, header!)
  return line.body as { readonly id?: unknown; readonly schemaId?: unknown }
}
