// Stores resources with few items as JSON documents, in the order of their creation. Some have an additional unique
// column.
import { alreadyExists, notFound } from '../../kernel/errors.ts'
import type { DocumentText, Repository } from '../document-port.ts'
import { type RowCounter, RowRepository, type SqlSession } from './session.ts'
import type { StoredApiKey, StoredUser } from '../../core/accounts/rules/account.ts'
import type { ApiKeyReads, UserReads } from '../account-port.ts'

interface DocumentTable<Item> {
  readonly name: string
  /** The resource's name in messages. */
  readonly resource: string
  /** A unique column for lookups, and its value for an item. */
  readonly column?: { readonly name: string; readonly valueOf: (item: Item) => string }
  /** Incremented by every change. */
  readonly counter?: RowCounter
}

/** Bytes and number of the documents of a page; a single one may be larger. */
const PAGE_BYTES = 131_072
const PAGE_LENGTH = 200

export class Documents<Item extends { readonly id: string }> extends RowRepository implements Repository<Item> {
  readonly #table: DocumentTable<Item>

  constructor(session: SqlSession, table: DocumentTable<Item>) {
    super(session)
    this.#table = table
  }

  async get(id: string): Promise<Item | undefined> {
    const text = await this.#textOf(id)
    return text === undefined ? undefined : (JSON.parse(text) as Item)
  }

  async find(id: string): Promise<Item> {
    const item = await this.get(id)
    if (item === undefined) throw notFound(this.#table.resource, id)
    return item
  }

  async list(): Promise<Item[]> {
    const texts = await this.texts()
    return texts.map(({ document }) => JSON.parse(document) as Item)
  }

  async *pages<Made = Item>(make?: (item: Item) => Made | undefined): AsyncGenerator<readonly Made[], void> {
    const sizes = await this.session.rows<DocumentSize>(
      `SELECT id, octet_length(document) AS bytes FROM ${this.#table.name} ORDER BY n`,
    )
    for (const ids of pagesOf(sizes)) yield this.#page(ids, make ?? ((item) => item as unknown as Made))
  }

  /** A separate function, because a suspended generator would hold rows and items. */
  async #page<Made>(ids: readonly string[], make: (item: Item) => Made | undefined): Promise<readonly Made[]> {
    const sql = `SELECT document FROM ${this.#table.name} WHERE ${this.session.dialect.among('id', 1)} ORDER BY n`
    const rows = await this.session.rows<Pick<DocumentText, 'document'>>(sql, [ids])
    return rows.map(({ document }) => make(JSON.parse(document) as Item)).filter((made) => made !== undefined)
  }

  texts(): Promise<readonly DocumentText[]> {
    return this.session.rows<DocumentText>(`SELECT id, document FROM ${this.#table.name} ORDER BY n`)
  }

  /** Returns the item with this value in the table's column. */
  async findBy(value: string): Promise<Item | undefined> {
    const id = await this.#holderOf(value)
    return id === undefined ? undefined : this.get(id)
  }

  async insert(item: Item): Promise<void> {
    const { name, resource, column } = this.#table
    const { writer } = this.session
    const taken = [await this.#textOf(item.id), column && (await this.#holderOf(column.valueOf(item)))]
    if (taken.some((one) => one !== undefined)) throw alreadyExists(resource, item.id)
    const [more, values] = column === undefined ? ['', []] : [`, ${column.name}`, [column.valueOf(item)]]
    const document = JSON.stringify(item)
    const places = values.map((_, index) => `, $${index + 4}`).join('')
    writer.hold(
      `INSERT INTO ${name} (n, id, document${more}) VALUES ($1, $2, $3${places})`,
      writer.nextN(),
      item.id,
      document,
      ...values,
    )
    this.#note(item.id, document, undefined, item)
  }

  async update(item: Item): Promise<void> {
    const { name, resource, column } = this.#table
    const before = column && (await this.get(item.id))
    const holder = column && (await this.#holderOf(column.valueOf(item)))
    if (holder !== undefined && holder !== item.id) throw alreadyExists(resource, item.id)
    const document = JSON.stringify(item)
    const set = column === undefined ? '' : `, ${column.name} = $3`
    const values = column === undefined ? [] : [column.valueOf(item)]
    this.session.writer.hold(`UPDATE ${name} SET document = $1${set} WHERE id = $2`, document, item.id, ...values)
    this.#note(item.id, document, before, item)
  }

  async delete(id: string): Promise<void> {
    const before = this.#table.column && (await this.get(id))
    this.session.writer.hold(`DELETE FROM ${this.#table.name} WHERE id = $1`, id)
    this.#note(id, undefined, before, undefined)
  }

  async #textOf(id: string): Promise<string | undefined> {
    const { name } = this.#table
    const { dialect } = this.session
    const found = await this.session.look<string>(name, [id], async (ids, from) => {
      const sql = `SELECT id, document FROM ${name} WHERE ${dialect.among('id', 1)}`
      const rows = await from.rows<DocumentText>(sql, [ids])
      return new Map(rows.map((row) => [row.id, row.document]))
    })
    return found.get(id)
  }

  /** Returns the ID of the item with this value in the column. */
  async #holderOf(value: string): Promise<string | undefined> {
    const { name, column } = this.#table
    const { dialect } = this.session
    const found = await this.session.look<string>(`${name} by ${column!.name}`, [value], async (values, from) => {
      const sql = `SELECT ${column!.name} AS value, id FROM ${name} WHERE ${dialect.among(column!.name, 1)}`
      const rows = await from.rows<{ value: string; id: string }>(sql, [values])
      return new Map(rows.map((row) => [row.value, row.id]))
    })
    return found.get(value)
  }

  #note(id: string, document: string | undefined, before: Item | undefined, after: Item | undefined): void {
    const { name, column, counter } = this.#table
    const { writer } = this.session
    writer.put(name, id, document)
    if (column !== undefined && before !== undefined)
      writer.put(`${name} by ${column.name}`, column.valueOf(before), undefined)
    if (column !== undefined && after !== undefined) writer.put(`${name} by ${column.name}`, column.valueOf(after), id)
    if (counter !== undefined) writer.add(counter, 1)
  }
}

interface DocumentSize {
  readonly id: string
  readonly bytes: number
}

function* pagesOf(sizes: readonly DocumentSize[]): Generator<readonly string[]> {
  let page: string[] = []
  let size = 0
  for (const { id, bytes } of sizes) {
    if (page.length === PAGE_LENGTH || (page.length > 0 && size + bytes > PAGE_BYTES)) {
      yield page
      page = []
      size = 0
    }
    page.push(id)
    size += bytes
  }
  if (page.length > 0) yield page
}

export class Users extends Documents<StoredUser> implements UserReads, Repository<StoredUser> {
  constructor(session: SqlSession) {
    const column = { name: 'username', valueOf: (user: StoredUser) => user.username }
    super(session, { name: 'account', resource: 'User', column, counter: 'credentials' })
  }

  findByUsername(username: string): Promise<StoredUser | undefined> {
    return this.findBy(username)
  }
}

export class ApiKeys extends Documents<StoredApiKey> implements ApiKeyReads, Repository<StoredApiKey> {
  constructor(session: SqlSession) {
    const column = { name: 'hash', valueOf: (key: StoredApiKey) => key.hash }
    super(session, { name: 'api_key', resource: 'API key', column, counter: 'credentials' })
  }

  findByHash(hash: string): Promise<StoredApiKey | undefined> {
    return this.findBy(hash)
  }
}
