// Categories and which records are assigned to them.
import type { Category, CategoryAssignment } from '../../core/model/rules/catalog.ts'
import { alreadyExists } from '../../kernel/errors.ts'
import type { CategoryReads, CategoryWrites, RecordPlace } from '../category-port.ts'
import { type CategoryRow, textOfNames, toCategory } from '../rows/category-rows.ts'
import { type Connection, isUniqueViolation } from './connection.ts'
import { StatementCache } from './statements.ts'

const COLUMNS = 'id, catalog_id AS catalogId, parent_id AS parentId, name, names, sort_order AS sortOrder'

const PLACES = `SELECT record.id, sort_order AS sortOrder, record_n AS place
  FROM assignment JOIN record ON record.n = record_n WHERE category_id = ?`

export class Categories implements CategoryReads, CategoryWrites {
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  async get(id: string): Promise<Category | undefined> {
    return toCategory(this.#sql.get<CategoryRow>(`SELECT ${COLUMNS} FROM category WHERE id = ?`, [id]))
  }

  async existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const sql = 'SELECT 1 FROM category WHERE id = ?'
    return new Set(ids.filter((id) => this.#sql.get(sql, [id]) !== undefined))
  }

  async listOf(catalogId: string): Promise<Category[]> {
    const sql = `SELECT ${COLUMNS} FROM category WHERE catalog_id = ? ORDER BY sort_order, n`
    return this.#sql.all<CategoryRow>(sql, [catalogId]).map((row) => toCategory(row)!)
  }

  async named(name: string, parentId: string | null, limit: number): Promise<string[]> {
    const sql = 'SELECT id FROM category WHERE name = ? AND parent_id IS ? ORDER BY n LIMIT ?'
    return this.#sql.all<{ id: string }>(sql, [name, parentId, limit]).map(({ id }) => id)
  }

  async findChild(id: string): Promise<Category | undefined> {
    return toCategory(
      this.#sql.get<CategoryRow>(`SELECT ${COLUMNS} FROM category WHERE parent_id = ? ORDER BY n LIMIT 1`, [id]),
    )
  }

  async assignmentsOf(recordId: string): Promise<CategoryAssignment[]> {
    return this.#sql.all<CategoryAssignment>(
      `SELECT record.id AS entityId, assignment.category_id AS categoryId, assignment.sort_order AS sortOrder
         FROM record
         JOIN assignment ON assignment.record_n = record.n
         JOIN category ON category.id = assignment.category_id
         JOIN catalog ON catalog.id = category.catalog_id
        WHERE record.id = ?
        ORDER BY catalog.n, category.n`,
      [recordId],
    )
  }

  async places(categoryId: string, limit: number): Promise<RecordPlace[]> {
    return this.#sql.all<RecordPlace>(`${PLACES} ORDER BY sort_order, record_n LIMIT ?`, [categoryId, limit])
  }

  async placeOf(categoryId: string, recordId: string): Promise<RecordPlace | undefined> {
    const sql = `${PLACES} AND record_n = (SELECT n FROM record WHERE id = ?)`
    return this.#sql.get<RecordPlace>(sql, [categoryId, recordId])
  }

  async placesBefore(categoryId: string, at: RecordPlace | undefined, limit: number): Promise<RecordPlace[]> {
    const before = at === undefined ? '' : 'AND (sort_order, record_n) < (?, ?)'
    const sql = `${PLACES} ${before} ORDER BY sort_order DESC, record_n DESC LIMIT ?`
    return this.#sql.all<RecordPlace>(sql, [categoryId, ...(at === undefined ? [] : [at.sortOrder, at.place]), limit])
  }

  async placesFrom(categoryId: string, { sortOrder, place }: RecordPlace, limit: number): Promise<RecordPlace[]> {
    const tied = `${PLACES} AND sort_order = ? AND record_n >= ? ORDER BY record_n LIMIT ?`
    const next = `${PLACES} AND sort_order > ? ORDER BY sort_order, record_n LIMIT 1`
    return [
      ...this.#sql.all<RecordPlace>(tied, [categoryId, sortOrder, place, limit]),
      ...this.#sql.all<RecordPlace>(next, [categoryId, sortOrder]),
    ]
  }

  async recordIdsIn(categoryId: string, limit: number): Promise<string[]> {
    const sql = `SELECT record.id FROM assignment JOIN record ON record.n = record_n WHERE category_id = ?
      ORDER BY assignment.sort_order, record_n LIMIT ?`
    return this.#sql.all<{ id: string }>(sql, [categoryId, limit]).map(({ id }) => id)
  }

  async insert(category: Category): Promise<void> {
    const { id, catalogId, parentId, name, names, sortOrder } = category
    try {
      this.#sql.run(
        'INSERT INTO category (id, catalog_id, parent_id, name, names, sort_order) VALUES (?, ?, ?, ?, ?, ?)',
        [id, catalogId, parentId, name, textOfNames(names), sortOrder],
      )
    } catch (error) {
      throw isUniqueViolation(error) ? alreadyExists('Category', id) : error
    }
  }

  async update(category: Category): Promise<void> {
    const { id, parentId, name, names, sortOrder } = category
    this.#sql.run('UPDATE category SET parent_id = ?, name = ?, names = ?, sort_order = ? WHERE id = ?', [
      parentId,
      name,
      textOfNames(names),
      sortOrder,
      id,
    ])
  }

  async delete(id: string): Promise<void> {
    this.#sql.run('DELETE FROM category WHERE id = ?', [id])
  }

  async setAssignments(recordId: string, assignments: readonly Omit<CategoryAssignment, 'entityId'>[]): Promise<void> {
    this.#sql.run('DELETE FROM assignment WHERE record_n = (SELECT n FROM record WHERE id = ?)', [recordId])
    for (const { categoryId, sortOrder } of assignments) {
      this.#sql.run(
        'INSERT INTO assignment (category_id, sort_order, record_n) SELECT ?, ?, n FROM record WHERE id = ?',
        [categoryId, sortOrder, recordId],
      )
    }
    // Variants are found by the categories of the record that they are variants of.
    this.#sql.run('INSERT INTO index_pending (record_n) SELECT n FROM record WHERE id = ? OR parent_id = ?', [
      recordId,
      recordId,
    ])
  }
}
