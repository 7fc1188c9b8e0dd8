// Subscriptions, how far each has come, and what was delivered last.
import { alreadyExists } from '../../kernel/errors.ts'
import type { Subscription, SubscriptionDelivery, SubscriptionState } from '../../events/rules/subscription.ts'
import type { StoredSubscription, SubscriptionReads, SubscriptionWrites } from '../subscription-port.ts'
import { type Connection, isUniqueViolation } from './connection.ts'
import { StatementCache } from './statements.ts'

interface Row {
  readonly document: string
  readonly state: string
}

const NUMBER = '(SELECT n FROM subscription WHERE id = ?)'

export class Subscriptions implements SubscriptionReads, SubscriptionWrites {
  readonly #sql: StatementCache

  constructor(db: Connection) {
    this.#sql = new StatementCache(db)
  }

  async get(id: string): Promise<StoredSubscription | undefined> {
    const row = this.#sql.get<Row>('SELECT document, state FROM subscription WHERE id = ?', [id])
    return row && toStored(row)
  }

  async list(): Promise<StoredSubscription[]> {
    return this.#sql.all<Row>('SELECT document, state FROM subscription ORDER BY n', []).map(toStored)
  }

  async deliveriesOf(id: string, limit: number): Promise<SubscriptionDelivery[]> {
    const sql = `SELECT document FROM subscription_delivery WHERE subscription_n = ${NUMBER} ORDER BY n DESC LIMIT ?`
    const rows = this.#sql.all<Pick<Row, 'document'>>(sql, [id, limit])
    return rows.map(({ document }) => JSON.parse(document) as SubscriptionDelivery)
  }

  async add({ subscription, state }: StoredSubscription): Promise<void> {
    const { id } = subscription
    try {
      const sql = 'INSERT INTO subscription (id, document, state) VALUES (?, ?, ?)'
      this.#sql.run(sql, [id, JSON.stringify(subscription), JSON.stringify(state)])
    } catch (error) {
      throw isUniqueViolation(error) ? alreadyExists('Subscription', id) : error
    }
  }

  async save({ subscription, state }: StoredSubscription): Promise<void> {
    const sql = 'UPDATE subscription SET document = ?, state = ? WHERE id = ?'
    this.#sql.run(sql, [JSON.stringify(subscription), JSON.stringify(state), subscription.id])
  }

  async remove(id: string): Promise<void> {
    this.#sql.run('DELETE FROM subscription WHERE id = ?', [id])
  }

  async noteDelivery(id: string, delivery: SubscriptionDelivery, keep: number): Promise<void> {
    const changed = this.#sql.run(
      `UPDATE subscription_delivery SET document = ? WHERE subscription_n = ${NUMBER} AND id = ?`,
      [JSON.stringify(delivery), id, delivery.id],
    )
    if (changed > 0) return
    this.#sql.run(`INSERT INTO subscription_delivery (subscription_n, id, document) VALUES (${NUMBER}, ?, ?)`, [
      id,
      delivery.id,
      JSON.stringify(delivery),
    ])
    this.#sql.run(
      `DELETE FROM subscription_delivery WHERE subscription_n = ${NUMBER} AND n <=
         (SELECT n FROM subscription_delivery WHERE subscription_n = ${NUMBER} ORDER BY n DESC LIMIT 1 OFFSET ?)`,
      [id, id, keep],
    )
  }
}

function toStored({ document, state }: Row): StoredSubscription {
  return { subscription: JSON.parse(document) as Subscription, state: JSON.parse(state) as SubscriptionState }
}
