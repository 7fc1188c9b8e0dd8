// Stores categories and their assigned records.
import type { Category, CategoryAssignment } from '../../core/model/rules/catalog.ts'
import { alreadyExists } from '../../kernel/errors.ts'
import type { CategoryParent, CategoryReads, CategoryStep, CategoryWrites, RecordPlace } from '../category-port.ts'
import type { Names } from '../../core/model/rules/names.ts'
import { type Load, RowRepository } from './session.ts'

type CategoryRow = Omit<Category, 'names'> & { readonly names: string | null }

const COLUMNS = 'id, catalog_id AS "catalogId", parent_id AS "parentId", name, names, sort_order AS "sortOrder"'

const PLACES = `SELECT record.id, sort_order AS "sortOrder", record_n AS place
  FROM assignment JOIN record ON record.n = record_n WHERE category_id = $1`

const PATH = `WITH RECURSIVE step (id, catalog_id, parent_id, height) AS (
    SELECT id, catalog_id, parent_id, 0 FROM category WHERE id = $1
    UNION ALL SELECT category.id, category.catalog_id, category.parent_id, height + 1
      FROM step JOIN category ON category.id = step.parent_id)
  SELECT id, catalog_id AS "catalogId", parent_id AS "parentId" FROM step ORDER BY height`

export class Categories extends RowRepository implements CategoryReads, CategoryWrites {
  readonly #byId: Load<Category> = async (ids, from) => {
    const sql = `SELECT ${COLUMNS} FROM category WHERE ${this.session.dialect.among('id', 1)}`
    const rows = await from.rows<CategoryRow>(sql, [ids])
    return new Map(rows.map((row) => [row.id, toCategory(row)!]))
  }

  async get(id: string): Promise<Category | undefined> {
    return (await this.session.look('category', [id], this.#byId)).get(id)
  }

  async existing(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.session.look('category', ids, this.#byId)).keys())
  }

  async listOf(catalogId: string): Promise<Category[]> {
    const sql = `SELECT ${COLUMNS} FROM category WHERE catalog_id = $1 ORDER BY sort_order, n`
    return (await this.session.rows<CategoryRow>(sql, [catalogId])).map((row) => toCategory(row)!)
  }

  async named(name: string, { parentId, catalogId }: CategoryParent, limit: number): Promise<string[]> {
    const isBelow = parentId === null ? 'parent_id IS NULL' : 'parent_id = $3'
    const isThere = catalogId === undefined || parentId !== null ? isBelow : `${isBelow} AND catalog_id = $3`
    const values = [parentId ?? catalogId].filter((value) => value !== undefined)
    const sql = `SELECT id FROM category WHERE name = $1 AND ${isThere} ORDER BY n LIMIT $2`
    return (await this.session.rows<{ id: string }>(sql, [name, limit, ...values])).map(({ id }) => id)
  }

  async findChild(id: string): Promise<Category | undefined> {
    const sql = `SELECT ${COLUMNS} FROM category WHERE parent_id = $1 ORDER BY n LIMIT 1`
    return toCategory((await this.session.rows<CategoryRow>(sql, [id]))[0])
  }

  async childrenOf(catalogId: string, parentId: string | null): Promise<Category[]> {
    const [isBelow, values] = parentId === null ? ['IS NULL', []] : ['= $2', [parentId]]
    const sql = `SELECT ${COLUMNS} FROM category WHERE catalog_id = $1 AND parent_id ${isBelow} ORDER BY sort_order, n`
    return (await this.session.rows<CategoryRow>(sql, [catalogId, ...values])).map((row) => toCategory(row)!)
  }

  pathOf(id: string): Promise<CategoryStep[]> {
    return this.session.rows(PATH, [id])
  }

  assignmentsOf(recordId: string): Promise<CategoryAssignment[]> {
    return this.session.rows<CategoryAssignment>(
      `SELECT record.id AS "entityId", assignment.category_id AS "categoryId", assignment.sort_order AS "sortOrder"
         FROM record
         JOIN assignment ON assignment.record_n = record.n
         JOIN category ON category.id = assignment.category_id
         JOIN catalog ON catalog.id = category.catalog_id
        WHERE record.id = $1
        ORDER BY catalog.n, category.n, assignment.sort_order`,
      [recordId],
    )
  }

  places(categoryId: string, limit: number): Promise<RecordPlace[]> {
    return this.session.rows(`${PLACES} ORDER BY sort_order, record_n LIMIT $2`, [categoryId, limit])
  }

  async placeOf(categoryId: string, recordId: string): Promise<RecordPlace | undefined> {
    const sql = `${PLACES} AND record_n = (SELECT n FROM record WHERE id = $2) ORDER BY sort_order LIMIT 1`
    return (await this.session.rows<RecordPlace>(sql, [categoryId, recordId]))[0]
  }

  placesBefore(categoryId: string, at: RecordPlace | undefined, limit: number): Promise<RecordPlace[]> {
    const before = at === undefined ? '' : 'AND (sort_order, record_n) < ($3, $4)'
    const sql = `${PLACES} ${before} ORDER BY sort_order DESC, record_n DESC LIMIT $2`
    return this.session.rows(sql, [categoryId, limit, ...(at === undefined ? [] : [at.sortOrder, at.place])])
  }

  async placesFrom(categoryId: string, { sortOrder, place }: RecordPlace, limit: number): Promise<RecordPlace[]> {
    const tied = `${PLACES} AND sort_order = $2 AND record_n >= $3 ORDER BY record_n LIMIT $4`
    const next = `${PLACES} AND sort_order > $2 ORDER BY sort_order, record_n LIMIT 1`
    const [here, behind] = await Promise.all([
      this.session.rows<RecordPlace>(tied, [categoryId, sortOrder, place, limit]),
      this.session.rows<RecordPlace>(next, [categoryId, sortOrder]),
    ])
    return [...here, ...behind]
  }

  async recordIdsIn(categoryId: string, limit: number): Promise<string[]> {
    const sql = `SELECT record.id FROM assignment JOIN record ON record.n = record_n WHERE category_id = $1
      ORDER BY assignment.sort_order, record_n LIMIT $2`
    return (await this.session.rows<{ id: string }>(sql, [categoryId, limit])).map(({ id }) => id)
  }

  async insert(category: Category): Promise<void> {
    const { id, catalogId, parentId, name, names, sortOrder } = category
    if ((await this.get(id)) !== undefined) throw alreadyExists('Category', id)
    const { writer } = this.session
    const sql =
      'INSERT INTO category (n, id, catalog_id, parent_id, name, names, sort_order) VALUES ($1, $2, $3, $4, $5, $6, $7)'
    writer.hold(sql, writer.nextN(), id, catalogId, parentId, name, textOfNames(names), sortOrder)
    writer.put('category', id, category)
  }

  async update(category: Category): Promise<void> {
    const { id, parentId, name, names, sortOrder } = category
    const before = await this.get(id)
    const sql = 'UPDATE category SET parent_id = $1, name = $2, names = $3, sort_order = $4 WHERE id = $5'
    this.session.writer.hold(sql, parentId, name, textOfNames(names), sortOrder, id)
    if (before !== undefined) this.session.writer.put('category', id, { ...category, catalogId: before.catalogId })
  }

  async delete(id: string): Promise<void> {
    this.session.writer.hold('DELETE FROM category WHERE id = $1', id)
    this.session.writer.put('category', id, undefined)
  }

  async setAssignments(recordId: string, assignments: readonly Omit<CategoryAssignment, 'entityId'>[]): Promise<void> {
    const { writer, dialect } = this.session
    writer.hold('DELETE FROM assignment WHERE record_n = (SELECT n FROM record WHERE id = $1)', recordId)
    const assigned = dialect.given('assigned', { category_id: 'text', sort_order: 'real', record_id: 'text' })
    const sql = `INSERT INTO assignment (category_id, sort_order, record_n)
      SELECT category_id, sort_order, n FROM ${assigned} JOIN record ON record.id = record_id`
    for (const { categoryId, sortOrder } of assignments) writer.holdRow(sql, categoryId, sortOrder, recordId)
    // Searches find variants by the categories of their parent.
    writer.index({ family: recordId })
  }
}

function toCategory(row: CategoryRow | undefined): Category | undefined {
  if (row === undefined) return undefined
  const { names, ...category } = row
  return names === null ? category : { ...category, names: JSON.parse(names) as Names }
}

function textOfNames(names: Names | undefined): string | null {
  return names === undefined ? null : JSON.stringify(names)
}
