// Dimensions, workflows, schemas, roles and pending changes: the documents of the model. A transaction has all of them
// in memory.
import { alreadyExists, notFound, PimletError } from '../../kernel/errors.ts'
import type { ModelChange } from '../../core/model/rules/model-change.ts'
import type { DocumentText, ModelChanges, Repository } from '../../store/document-port.ts'
import { LIVING } from '../lease-rows.ts'
import type { ModelTable } from '../model-state.ts'
import type { Session } from '../session.ts'

export class ModelDocuments<Item extends { readonly id: string }> implements Repository<Item> {
  protected readonly session: Session
  readonly #name: ModelTable
  readonly #resource: string

  /** @param resource the name of the resource in messages */
  constructor(session: Session, name: ModelTable, resource: string) {
    this.session = session
    this.#name = name
    this.#resource = resource
  }

  async get(id: string): Promise<Item | undefined> {
    return (await this.session.model()).get<Item>(this.#name, id)
  }

  async find(id: string): Promise<Item> {
    const item = await this.get(id)
    if (item === undefined) throw notFound(this.#resource, id)
    return item
  }

  async list(): Promise<Item[]> {
    return (await this.session.model()).list<Item>(this.#name)
  }

  /** Yields one document at a time: all documents are in memory. */
  async *pages<Made = Item>(
    make = (item: Item): Made | undefined => item as unknown as Made,
  ): AsyncGenerator<readonly Made[], void> {
    for (const item of await this.list()) yield [make(item)].filter((made) => made !== undefined)
  }

  async texts(): Promise<Iterable<DocumentText>> {
    return (await this.list()).values().map((item) => ({ id: item.id, document: JSON.stringify(item) }))
  }

  async insert(item: Item): Promise<void> {
    if ((await this.get(item.id)) !== undefined) throw alreadyExists(this.#resource, item.id)
    const { writer } = this.session
    const document = JSON.stringify(item)
    writer.hold(`INSERT INTO ${this.#name} (n, id, document) VALUES ($1, $2, $3)`, writer.nextN(), item.id, document)
    writer.putModel(this.#name, item.id, document)
  }

  async update(item: Item): Promise<void> {
    await this.session.model()
    const document = JSON.stringify(item)
    this.session.writer.hold(`UPDATE ${this.#name} SET document = $1 WHERE id = $2`, document, item.id)
    this.session.writer.putModel(this.#name, item.id, document)
  }

  async delete(id: string): Promise<void> {
    await this.session.model()
    this.session.writer.hold(`DELETE FROM ${this.#name} WHERE id = $1`, id)
    this.session.writer.putModel(this.#name, id, undefined)
  }
}

/** A change without a job stores the server that performs it. No other server writes this change. */
export class ModelChangeDocuments extends ModelDocuments<ModelChange> implements ModelChanges {
  readonly #owner: string

  /** @param owner names this server among all servers */
  constructor(session: Session, owner: string) {
    super(session, 'model_change', 'Change')
    this.#owner = owner
  }

  async listAbandoned(): Promise<ModelChange[]> {
    const sql = `SELECT document FROM model_change WHERE owner <> $1 AND owner NOT IN (${LIVING}) ORDER BY n`
    const rows = await this.session.rows<{ document: string }>(sql, [this.#owner])
    return rows.map(({ document }) => JSON.parse(document) as ModelChange)
  }

  async adopt(id: string): Promise<boolean> {
    const sql = `UPDATE model_change SET owner = $2 WHERE id = $1 AND (owner = $2 OR owner NOT IN (${LIVING}))`
    return (await this.session.writer.run(sql, id, this.#owner)) > 0
  }

  override async insert(change: ModelChange): Promise<void> {
    await super.insert(change)
    if (change.jobId === undefined)
      this.session.writer.hold('UPDATE model_change SET owner = $1 WHERE id = $2', this.#owner, change.id)
  }

  override async update(change: ModelChange): Promise<void> {
    await this.#assertOwn(change.id)
    await super.update(change)
  }

  override async delete(id: string): Promise<void> {
    await this.#assertOwn(id)
    await super.delete(id)
  }

  async cursorOf(id: string): Promise<number> {
    const rows = await this.session.rows<{ cursor: number }>('SELECT cursor FROM model_change WHERE id = $1', [id])
    return rows[0]?.cursor ?? 0
  }

  async advance(id: string, cursor: number): Promise<void> {
    await this.#assertOwn(id)
    this.session.writer.hold('UPDATE model_change SET cursor = $1 WHERE id = $2', cursor, id)
  }

  async #assertOwn(id: string): Promise<void> {
    const sql = 'SELECT 1 FROM model_change WHERE id = $1 AND coalesce(owner, $2) = $2'
    if ((await this.session.rows(sql, [id, this.#owner])).length > 0) return
    throw new PimletError('UNAVAILABLE', 'Another server has taken this change over, and undone it: ask for it again')
  }
}
