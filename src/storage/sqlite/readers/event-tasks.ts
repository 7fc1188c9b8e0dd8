// The events that a subscription asks for, in a reader thread: in slices.
import type { EventPage, EventQuery } from '../../subscription-port.ts'
import { PAGE_MILLISECONDS, pageOfEvents } from '../../events/page-of-events.ts'
import { Audit } from '../audit.ts'
import { AuditTrail } from '../audit-trail.ts'
import { Feed } from '../feed.ts'
import { categoryTree } from '../search/category-tree.ts'
import type { Searcher } from '../search/searcher.ts'

const SLICE_MILLISECONDS = 10

interface EventStep {
  readonly items: EventPage[]
  readonly total?: null
  readonly isLast?: boolean
}

const PLACES = `SELECT category_id AS categoryId, sort_order AS sortOrder FROM main.assignment
  WHERE record_n = (SELECT n FROM main.record WHERE id = ?)`

export function* runEvents(query: EventQuery, reader: Searcher): Generator<EventStep, void> {
  const { db, sql, records, models } = reader
  const [feed, trail] = [new Feed(db, new Audit(db)), new AuditTrail(db)]
  let [spent, begin] = [0, performance.now()]
  const work = pageOfEvents(query, {
    recordOf: (id) => records.getNow(id),
    trailOf: (id, piece) => trail.read(id, piece),
    placesOf: (id) => sql.all<{ categoryId: string; sortOrder: number }>(PLACES, [id]),
    feedAfter: (sequence, kinds, limit) => feed.afterNow(sequence, kinds, limit),
    world: { model: models.modelOfSnapshot(), role: query.role, categories: categoryTree(sql) },
    isLate: () => spent > PAGE_MILLISECONDS,
  })
  for (let step = work.next(); ;) {
    if (step.done === true) {
      yield { items: [step.value], total: null, isLast: true }
      return
    }
    const answer = step.value?.()
    if (performance.now() - begin >= SLICE_MILLISECONDS) {
      spent += performance.now() - begin
      yield { items: [] }
      begin = performance.now()
    }
    step = work.next(answer)
  }
}
