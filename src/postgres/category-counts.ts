// How many records each category of a catalog has: in itself, and with all that is below it.
import type { CategoryCount, CategoryTreeReads } from '../store/search-port.ts'
import type { Connections } from './connections.ts'

/** Each record counts once for a category, in however many below it it is. */
const COUNTS = `WITH RECURSIVE above (id, over) AS (
    SELECT id, id FROM category WHERE catalog_id = $1
    UNION SELECT above.id, category.parent_id FROM above JOIN category ON category.id = above.over
     WHERE category.parent_id IS NOT NULL),
  assigned AS (SELECT above.over AS id, assignment.record_n, bool_or(above.over = above.id) AS is_direct
    FROM above JOIN assignment ON assignment.category_id = above.id GROUP BY above.over, assignment.record_n)
  SELECT category.id, count(assigned.record_n) FILTER (WHERE is_direct) AS direct, count(assigned.record_n) AS total
    FROM category LEFT JOIN assigned ON assigned.id = category.id WHERE catalog_id = $1 GROUP BY category.id, category.n
   ORDER BY category.n`

export function createCategoryTreeReads(connections: Connections): CategoryTreeReads {
  return {
    counts: (catalogId) => connections.lend((connection) => connection.planned<CategoryCount>(COUNTS, [catalogId])),
  }
}
