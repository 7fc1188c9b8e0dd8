// The events that a subscription asks for: of one moment, with turns for others.
import type { CategoryTree } from '../../domain/search/searched-record.ts'
import { PAGE_MILLISECONDS, pageOfEvents } from '../events/page-of-events.ts'
import type { EventPage, EventQuery, EventReads } from '../subscription-port.ts'
import { OfOneMoment } from './committed.ts'
import type { ModelCache } from './committed-model.ts'
import type { Connections } from './connections.ts'
import { Audit } from './repositories/audit.ts'
import { Feed } from './repositories/feed.ts'
import { Records } from './repositories/records.ts'

/** Milliseconds after which others have their turn. */
const SLICE = 5

export function createEventReads(connections: Connections, models: ModelCache): EventReads {
  return (query, signal) =>
    connections.lend((connection) =>
      OfOneMoment.read(connection, models, (session) => readPage(query, signal, session)),
    )
}

async function readPage(query: EventQuery, signal: AbortSignal, session: OfOneMoment): Promise<EventPage> {
  const audit = new Audit(session)
  const [feed, records] = [new Feed(session, audit), new Records(session)]
  const began = performance.now()
  const work = pageOfEvents(query, {
    recordOf: (id) => records.get(id),
    trailOf: (id, piece) => audit.readTrail(id, piece),
    placesOf: (id) => session.rows<{ categoryId: string; sortOrder: number }>(PLACES, [id]),
    feedAfter: (sequence, kinds, limit) => feed.listAfter(sequence, kinds, limit),
    world: { model: (await session.model()).model, role: query.role, categories: await categoryTree(query, session) },
    isLate: () => performance.now() - began > PAGE_MILLISECONDS,
  })
  let turn = began
  for (let step = work.next(); ;) {
    if (step.done === true) return step.value
    signal.throwIfAborted()
    const answer = await step.value?.()
    if (performance.now() - turn > SLICE) {
      await new Promise((resolve) => setImmediate(resolve))
      turn = performance.now()
    }
    step = work.next(answer)
  }
}

const PLACES = `SELECT category_id AS "categoryId", sort_order AS "sortOrder" FROM assignment
  WHERE record_n = (SELECT n FROM record WHERE id = $1)`

/** All of it, where something is asked of records: the predicate does not wait for answers. */
async function categoryTree({ selection }: EventQuery, session: OfOneMoment): Promise<CategoryTree> {
  const sql = 'SELECT id, catalog_id AS "catalogId", parent_id AS "parentId" FROM category'
  const rows =
    selection === null ? [] : await session.rows<{ id: string; catalogId: string; parentId: string | null }>(sql)
  const catalogs = new Map(rows.map(({ id, catalogId }) => [id, catalogId]))
  const children = Map.groupBy(rows, ({ parentId }) => parentId)
  const withDescendants = (id: string): string[] => [
    id,
    ...(children.get(id) ?? []).flatMap((child) => withDescendants(child.id)),
  ]
  return { catalogOf: (id) => catalogs.get(id), withDescendants }
}
