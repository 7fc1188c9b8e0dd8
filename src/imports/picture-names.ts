// Finds records of pictures by the names of their files. The first search reads all names at once. Contract 3 §4.
import { canRead, hasPermission, type Role } from '../core/accounts/rules/permissions.ts'
import { Walk } from '../core/model/changes/schema-walk.ts'
import type { FileName } from '../core/datatypes/file.ts'
import type { PicturePlace } from './rules/picture-attribute.ts'
import { parseValues, scopedValues } from '../core/records/rules/record.ts'
import { invalid, PimletError, shorten } from '../kernel/errors.ts'
import type { Store } from '../store/port.ts'

/** Names of one schema that are remembered. */
const MAX_NAMES = 500_000

export class PictureNames {
  readonly #store: Store
  readonly #signal: AbortSignal
  /** By schema and attribute. null: several records have the name. */
  readonly #known = new Map<string, Promise<ReadonlyMap<string, string | null>>>()

  constructor(store: Store, signal: AbortSignal) {
    this.#store = store
    this.#signal = signal
  }

  /**
   * The ID of the record that has a file of that name, as far as the role may read it.
   * @param subject begins messages
   * @throws VALIDATION_ERROR where several records have one, LIMIT_EXCEEDED; the signal's reason
   */
  async find(
    role: Role,
    { schema, attribute }: PicturePlace,
    fileName: string,
    subject: string,
  ): Promise<string | undefined> {
    if (!hasPermission(role, 'records.read') || !canRead(role, schema.id, attribute.alias)) return undefined
    const key = JSON.stringify([schema.id, attribute.alias])
    const reading = this.#known.get(key) ?? this.#read(schema.id, attribute.alias)
    this.#known.set(key, reading)
    const found = (await reading).get(fileName)
    if (found === null) throw invalid(`${subject} names the file '${shorten(fileName)}', which several records have`)
    return found
  }

  async #read(schemaId: string, alias: string): Promise<ReadonlyMap<string, string | null>> {
    const names = new Map<string, string | null>()
    await new Walk(this.#store, () => this.#signal.throwIfAborted()).look(schemaId, (record) => {
      const { id } = record
      for (const { value } of scopedValues(parseValues(record), alias)) {
        const { fileName } = value as FileName
        const other = names.get(fileName)
        if (other !== id) names.set(fileName, other === undefined ? id : null)
      }
      if (names.size > MAX_NAMES)
        throw new PimletError('LIMIT_EXCEEDED', `More than ${MAX_NAMES} files of pictures have names to look for`)
    })
    return names
  }
}
