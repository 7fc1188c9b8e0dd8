// Categories and which records are assigned to them.
import type { Category, CategoryAssignment } from '../../domain/model/catalogs.ts'
import { alreadyExists } from '../../domain/errors.ts'
import type { CategoryReads, CategoryWrites } from '../port.ts'
import { type Connection, isUniqueViolation } from './connection.ts'
import { StatementCache } from './statements.ts'

const COLUMNS = 'id, catalog_id AS catalogId, parent_id AS parentId, name, sort_order AS sortOrder'

export class Categories implements CategoryReads, CategoryWrites {
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  async get(id: string): Promise<Category | undefined> {
    return this.#sql.get<Category>(`SELECT ${COLUMNS} FROM category WHERE id = ?`, [id])
  }

  async existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const sql = 'SELECT 1 FROM category WHERE id = ?'
    return new Set(ids.filter((id) => this.#sql.get(sql, [id]) !== undefined))
  }

  async listOf(catalogId: string): Promise<Category[]> {
    return this.#sql.all<Category>(`SELECT ${COLUMNS} FROM category WHERE catalog_id = ? ORDER BY sort_order, n`, [
      catalogId,
    ])
  }

  async findChild(id: string): Promise<Category | undefined> {
    return this.#sql.get<Category>(`SELECT ${COLUMNS} FROM category WHERE parent_id = ? LIMIT 1`, [id])
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

  async recordIdsIn(categoryId: string, limit: number): Promise<string[]> {
    const sql = 'SELECT record.id FROM assignment JOIN record ON record.n = record_n WHERE category_id = ? LIMIT ?'
    return this.#sql.all<{ id: string }>(sql, [categoryId, limit]).map(({ id }) => id)
  }

  async insert(category: Category): Promise<void> {
    const { id, catalogId, parentId, name, sortOrder } = category
    try {
      this.#sql.run('INSERT INTO category (id, catalog_id, parent_id, name, sort_order) VALUES (?, ?, ?, ?, ?)', [
        id,
        catalogId,
        parentId,
        name,
        sortOrder,
      ])
    } catch (error) {
      throw isUniqueViolation(error) ? alreadyExists('Category', id) : error
    }
  }

  async update(category: Category): Promise<void> {
    const { id, parentId, name, sortOrder } = category
    this.#sql.run('UPDATE category SET parent_id = ?, name = ?, sort_order = ? WHERE id = ?', [
      parentId,
      name,
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
