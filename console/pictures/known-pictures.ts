// The picture records of a gallery: read together, read again after a change, and saved one value after another.
import { signal } from '@preact/signals'
import type { FileValue } from '../../src/core/datatypes/file.ts'
import { scopedValues, type Values } from '../../src/core/records/rules/record.ts'
import type { Scope } from '../../src/core/scopes/scope.ts'
import type { CallOptions } from '../api/call.ts'
import { storedValue } from '../grid/cell-value.ts'
import type { Console } from '../state/console.ts'
import type { GalleryPanelProps } from '../state/panel-props.ts'
import type { PictureSchema } from '../state/pictures.ts'

/** The most pictures that are read again if nobody knows which have changed. */
const MOST_AGAIN = 200

type SearchBody = NonNullable<CallOptions<'POST /api/v1/search'>['body']>

export interface KnownPicture {
  readonly id: string
  readonly values: Values
  /** Undefined: the record has no file that the role may read. */
  readonly file: FileValue | undefined
}

export class KnownPictures {
  /** undefined: the record does not exist for this role. */
  readonly byId = signal<ReadonlyMap<string, KnownPicture | undefined>>(new Map())
  readonly #console: Console
  readonly #pictures: PictureSchema
  readonly #write: GalleryPanelProps['save']
  #asked = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(console: Console, pictures: PictureSchema, write: GalleryPanelProps['save']) {
    this.#console = console
    this.#pictures = pictures
    this.#write = write
  }

  /** Reads the records that have not been read. */
  need(ids: readonly string[]): void {
    const missing = ids.filter((id) => !this.#asked.has(id))
    for (const id of missing) this.#asked.add(id)
    // Without an answer, IDs are shown instead of the pictures.
    if (missing.length > 0) this.#read(missing).catch(() => (this.#asked = new Set(this.byId.peek().keys())))
  }

  /** Reads pictures again that somebody changes. Returns a function that ends this. */
  follow(): () => void {
    return this.#console.live.subscribe((changes, isCut) => {
      const known = this.byId.peek()
      const changed = isCut ? known.keys() : changes.map(({ entityId }) => entityId).filter((id) => known.has(id))
      const ids = [...new Set(changed)].slice(0, MOST_AGAIN)
      if (ids.length > 0) this.#read(ids).catch(() => undefined)
    })
  }

  /** Saves a value; a later value of the same picture waits for the earlier one. @throws the errors of a call */
  save(id: string, alias: string, scope: Scope, value: unknown): Promise<void> {
    const saved = this.#last.then(async () => {
      const before = storedValue(this.byId.peek().get(id)?.values ?? {}, alias, scope) ?? null
      await this.#write(id, { alias, scope, value, before }, () => void this.#read([id]).catch(() => undefined))
      await this.#read([id])
    })
    this.#last = saved.catch(() => this.#read([id])).catch(() => undefined)
    return saved
  }

  async #read(ids: readonly string[]): Promise<void> {
    const { schema, file } = this.#pictures
    const body = {
      criteria: [{ field: 'id', operator: 'in', value: ids }],
      criteriaOperator: 'and',
      schemaId: schema.id,
      include: ['effectiveValues'],
      limit: ids.length,
      total: false,
    } as unknown as SearchBody
    const { body: found } = await this.#console.call('POST /api/v1/search', { body })
    const byId = new Map(this.byId.peek())
    for (const id of ids) byId.set(id, undefined)
    for (const { id, values, effectiveValues = values } of found) {
      const files = scopedValues(effectiveValues, file.alias)
      const first = files.find(({ scope }) => Object.keys(scope).length === 0) ?? files[0]
      byId.set(id, { id, values, file: first?.value as FileValue | undefined })
    }
    this.byId.value = byId
  }
}

/** The shown picture. */
export interface PictureProps {
  readonly picture: KnownPicture
  readonly pictures: PictureSchema
  readonly known: KnownPictures
}
