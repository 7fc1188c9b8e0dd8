// Resources of which a workspace has few: a JSON document each, in the order of their creation.
import { alreadyExists } from '../../kernel/errors.ts'
import type { Repository } from '../document-port.ts'
import { type Connection, isUniqueViolation } from './connection.ts'
import { StatementCache } from './statements.ts'

export interface DocumentTable<Item> {
  readonly name: string
  /** The resource's name in messages. */
  readonly resource: string
  /** Columns beside the document that are searched for: name → how to take it from the item. */
  readonly columns?: Readonly<Record<string, (item: Item) => string>>
  /** Called after each write, with the ID of what was written. */
  readonly onWrite?: (id: string) => void
}

interface DocumentRow {
  readonly document: string
}

export class Documents<Item extends { readonly id: string }> implements Repository<Item> {
  readonly #table: DocumentTable<Item>
  readonly #columns: readonly ((item: Item) => string)[]
  readonly #sql: StatementCache

  constructor(db: Connection, table: DocumentTable<Item>) {
    this.#sql = new StatementCache(db)
    this.#table = table
    this.#columns = Object.values(table.columns ?? {})
  }

  async get(id: string): Promise<Item | undefined> {
    return this.findBy('id', id)
  }

  async list(): Promise<Item[]> {
    return this.listNow()
  }

  /** `list` without a promise, for threads that may block. */
  listNow(): Item[] {
    const rows = this.#sql.all<DocumentRow>(`SELECT document FROM ${this.#table.name} ORDER BY n`, [])
    return rows.map((row) => JSON.parse(row.document) as Item)
  }

  /** The item whose column `name` (the ID or one of the table's) has this value. */
  async findBy(name: string, value: string): Promise<Item | undefined> {
    const sql = `SELECT document FROM ${this.#table.name} WHERE ${name} = ?`
    const row = this.#sql.get<DocumentRow>(sql, [value])
    return row === undefined ? undefined : (JSON.parse(row.document) as Item)
  }

  async insert(item: Item): Promise<void> {
    const names = ['id', ...Object.keys(this.#table.columns ?? {}), 'document']
    const sql = `INSERT INTO ${this.#table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    this.#write(sql, [item.id, ...this.#columnValues(item), JSON.stringify(item)], item.id)
  }

  async update(item: Item): Promise<void> {
    const assignments = [...Object.keys(this.#table.columns ?? {}), 'document'].map((name) => `${name} = ?`)
    const sql = `UPDATE ${this.#table.name} SET ${assignments.join(', ')} WHERE id = ?`
    this.#write(sql, [...this.#columnValues(item), JSON.stringify(item), item.id], item.id)
  }

  async delete(id: string): Promise<void> {
    this.#write(`DELETE FROM ${this.#table.name} WHERE id = ?`, [id], id)
  }

  #columnValues(item: Item): string[] {
    return this.#columns.map((columnOf) => columnOf(item))
  }

  #write(sql: string, values: readonly string[], id: string): void {
    try {
      this.#sql.run(sql, values)
    } catch (error) {
      throw isUniqueViolation(error) ? alreadyExists(this.#table.resource, id) : error
    }
    this.#table.onWrite?.(id)
  }
}
