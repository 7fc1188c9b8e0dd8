// What tasks read besides the index, over the connection of a task.
import type { CategoryPage, Page, RecordFilter } from '../../record-port.ts'
import { toNumbers } from '../../../core/search/plan/record-numbers.ts'
import type { Assignment, PageOfPlaces, WorkspaceReads } from '../../reading/workspace-reads.ts'
import { Audit } from '../audit.ts'
import { AuditTrail } from '../audit-trail.ts'
import { placesBelow, placesInCategory } from '../category-records.ts'
import type { Connection } from '../connection.ts'
import { Feed } from '../feed.ts'
import type { ModelTables } from '../model.ts'
import { listFrom } from '../record-walk.ts'
import type { Records } from '../records.ts'
import type { StatementCache } from '../statements.ts'

export interface Reader {
  readonly db: Connection
  readonly sql: StatementCache
  readonly models: ModelTables
  readonly records: Records
}

export function taskReads({ db, sql, models, records }: Reader): WorkspaceReads {
  const trail = new AuditTrail(db)
  const feed = new Feed(db, new Audit(db))
  return {
    record: (id) => records.getNow(id),
    placeOf: (id) => sql.numbers('SELECT n FROM main.record WHERE id = ?', [id])[0],
    modelVersion: () => models.versionNow(),
    list: (filter, page) => placesOfList(records, filter, page),
    inCategory: (categoryId: string, page: CategoryPage) => placesInCategory(sql, categoryId, page),
    belowCategory: (categoryId: string, page: CategoryPage) => placesBelow(sql, categoryId, page),
    variantsOf: (id, after, limit) =>
      toNumbers(
        sql.numbers('SELECT n FROM main.record WHERE parent_id = ? AND n > ? ORDER BY n LIMIT ?', [id, after, limit]),
      ),
    listFrom: (schemaId, place, limit) => listFrom(sql, { schemaId, place, limit }),
    categoriesOf: (catalogId) =>
      sql.all('SELECT id, parent_id AS parentId FROM category WHERE catalog_id = ?', [catalogId]),
    assignmentsAfter: ({ place, categoryId }, limit) =>
      sql.all<Assignment>(
        `SELECT record_n AS place, category_id AS categoryId FROM assignment
          WHERE (record_n, category_id) > (?, ?) ORDER BY record_n, category_id LIMIT ?`,
        [place, categoryId, limit],
      ),
    assignmentsOf: (recordId) =>
      sql.all(
        `SELECT category_id AS categoryId, sort_order AS sortOrder FROM main.assignment
          WHERE record_n = (SELECT n FROM main.record WHERE id = ?)`,
        [recordId],
      ),
    feedAfter: (sequence, kinds, limit) => feed.afterNow(sequence, kinds, limit),
    trailOf: (recordId, asked) => trail.read(recordId, asked),
  }
}

function placesOfList(records: Records, filter: RecordFilter, page: Page): PageOfPlaces {
  const { places, total } = records.placesNow(filter, page)
  const isFull = places.length === page.limit && places.length > 0
  return { places, total, next: isFull ? { record: places.at(-1)!, values: [] } : undefined }
}
