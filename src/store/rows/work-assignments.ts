// Stores assignments of records to people.
import { actorKey } from '../../collaboration/rules/actor.ts'
import type { Assignment } from '../../collaboration/rules/assignment.ts'
import type {
  AssignmentReads,
  AssignmentsAsked,
  AssignmentWrites,
  DueStage,
  PlacedAssignment,
} from '../collaboration-port.ts'
import { RowRepository } from './session.ts'

/** Sorts after every day. */
const NO_DAY = '9999-12-31'
const TOLD: Record<DueStage, number> = { tomorrow: 1, overdue: 2 }
const COLUMNS = {
  n: 'integer',
  id: 'text',
  record_id: 'text',
  assignee_id: 'text',
  giver: 'text',
  state: 'text',
  due: 'text',
  told: 'integer',
  changed_at: 'text',
  document: 'text',
} as const
const IS_OF_RECORD = 'EXISTS (SELECT 1 FROM record WHERE record.id = work_assignment.record_id)'

interface Row {
  readonly document: string
}

export class WorkAssignments extends RowRepository implements AssignmentReads, AssignmentWrites {
  async get(id: string): Promise<Assignment | undefined> {
    const rows = await this.session.rows<Row>('SELECT document FROM work_assignment WHERE id = $1', [id])
    return rows.map(toAssignment)[0]
  }

  async list(asked: AssignmentsAsked): Promise<PlacedAssignment[]> {
    const parameters: unknown[] = [asked.state, asked.limit]
    const conditions = ['state = $1', IS_OF_RECORD]
    const where = (column: string, operator: string, value: unknown): void => {
      if (value !== undefined) conditions.push(`${column} ${operator} $${parameters.push(value)}`)
    }
    where('record_id', '=', asked.recordId)
    where('assignee_id', '=', asked.assigneeId)
    where('giver', '=', asked.assignedBy && actorKey(asked.assignedBy))
    where('due', '<', asked.dueBefore)
    const { after } = asked
    if (after !== undefined)
      conditions.push(`(due, n) > ($${parameters.push(after.due)}, $${parameters.push(after.n)})`)
    const sql = `SELECT n, due, document FROM work_assignment WHERE ${conditions.join(' AND ')} ORDER BY due, n LIMIT $2`
    const rows = await this.session.rows<Row & { n: number; due: string }>(sql, parameters)
    return rows.map((row) => ({ n: row.n, due: row.due, assignment: toAssignment(row) }))
  }

  async findFull(recordIds: readonly string[], limit: number): Promise<string | undefined> {
    const sql = `SELECT record_id AS id FROM work_assignment
      WHERE state = 'open' AND ${this.session.dialect.among('record_id', 1)}
      GROUP BY record_id HAVING count(*) >= $2 ORDER BY record_id LIMIT 1`
    return (await this.session.rows<{ id: string }>(sql, [recordIds, limit]))[0]?.id
  }

  async countOpen(assigneeId: string): Promise<number> {
    const sql = `SELECT count(*) AS open FROM work_assignment WHERE assignee_id = $1 AND state = 'open'`
    return (await this.session.rows<{ open: number }>(sql, [assigneeId]))[0]!.open
  }

  async assigneesOf(recordId: string): Promise<string[]> {
    const sql = `SELECT DISTINCT assignee_id AS id FROM work_assignment
      WHERE record_id = $1 AND state = 'open' ORDER BY assignee_id`
    return (await this.session.rows<{ id: string }>(sql, [recordId])).map(({ id }) => id)
  }

  async insert(assignment: Assignment, told?: DueStage): Promise<void> {
    const { writer, dialect } = this.session
    const { id, recordId, assigneeId, assignedBy, state, dueOn, changedAt } = assignment
    const names = Object.keys(COLUMNS).join(', ')
    writer.holdRow(
      `INSERT INTO work_assignment (${names}) SELECT ${names} FROM ${dialect.given('made', COLUMNS)}`,
      writer.nextN(),
      id,
      recordId,
      assigneeId,
      actorKey(assignedBy),
      state,
      dueOn ?? NO_DAY,
      told === undefined ? 0 : TOLD[told],
      changedAt,
      JSON.stringify(assignment),
    )
  }

  async update(assignment: Assignment, isNewDay: boolean): Promise<void> {
    const { id, state, dueOn, changedAt } = assignment
    this.session.writer.hold(
      `UPDATE work_assignment SET state = $1, due = $2, changed_at = $3, document = $4${isNewDay ? ', told = 0' : ''}
         WHERE id = $5`,
      state,
      dueOn ?? NO_DAY,
      changedAt,
      JSON.stringify(assignment),
      id,
    )
  }

  async takeDue(stage: DueStage, day: string, limit: number): Promise<Assignment[]> {
    // If the server was stopped on the day before, a notice on the due day must not name tomorrow.
    const [side, told] = [stage === 'tomorrow' ? '=' : '<', TOLD[stage]]
    const isDue = `state = 'open' AND told < 2 AND told < $1 AND due ${side} $2 AND ${IS_OF_RECORD}`
    // Selects the assignments of one person, so that no sorting is needed.
    const rows = await this.session.rows<Row>(
      `SELECT document FROM work_assignment WHERE ${isDue} AND assignee_id =
         (SELECT assignee_id FROM work_assignment WHERE ${isDue} LIMIT 1) ORDER BY due, n LIMIT $3`,
      [told, day, limit],
    )
    const taken = rows.map(toAssignment)
    if (taken.length > 0)
      this.session.writer.hold(
        `UPDATE work_assignment SET told = $2 WHERE ${this.session.dialect.among('id', 1)}`,
        taken.map(({ id }) => id),
        told,
      )
    return taken
  }

  deleteEnded(before: string, limit: number): Promise<number> {
    return this.#delete(`WHERE state <> 'open' AND changed_at < $1 LIMIT $2`, before, limit)
  }

  deleteOf(recordId: string, limit: number): Promise<number> {
    return this.#delete('WHERE record_id = $1 LIMIT $2', recordId, limit)
  }

  async eraseNotes(recordId: string, limit: number): Promise<number> {
    const isNoted = this.session.dialect.member('document', 'note')
    const sql = `SELECT document FROM work_assignment WHERE record_id = $1 AND ${isNoted} <> '' LIMIT $2`
    const noted = (await this.session.rows<Row>(sql, [recordId, limit])).map(toAssignment)
    for (const assignment of noted) await this.update({ ...assignment, note: '' }, false)
    return noted.length
  }

  #delete(which: string, ...parameters: unknown[]): Promise<number> {
    const { writer, dialect } = this.session
    return writer.run(
      `DELETE FROM work_assignment WHERE ${dialect.isOneOf('work_assignment', 'n', which)}`,
      ...parameters,
    )
  }
}

function toAssignment({ document }: Row): Assignment {
  return JSON.parse(document) as Assignment
}
