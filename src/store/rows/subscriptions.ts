// Stores subscriptions with their position and their last deliveries.
import { alreadyExists } from '../../kernel/errors.ts'
import type { Subscription, SubscriptionDelivery, SubscriptionState } from '../../events/rules/subscription.ts'
import type { StoredSubscription, SubscriptionReads, SubscriptionWrites } from '../subscription-port.ts'
import { RowRepository } from './session.ts'

interface Row {
  readonly document: string
  readonly state: string
}

export class Subscriptions extends RowRepository implements SubscriptionReads, SubscriptionWrites {
  async get(id: string): Promise<StoredSubscription | undefined> {
    const [row] = await this.session.rows<Row>('SELECT document, state FROM subscription WHERE id = $1', [id])
    return row && toStored(row)
  }

  async list(): Promise<StoredSubscription[]> {
    return (await this.session.rows<Row>('SELECT document, state FROM subscription ORDER BY n')).map(toStored)
  }

  async deliveriesOf(id: string, limit: number): Promise<SubscriptionDelivery[]> {
    const sql = 'SELECT document FROM subscription_delivery WHERE subscription_id = $1 ORDER BY n DESC LIMIT $2'
    const rows = await this.session.rows<Pick<Row, 'document'>>(sql, [id, limit])
    return rows.map(({ document }) => JSON.parse(document) as SubscriptionDelivery)
  }

  async add({ subscription, state }: StoredSubscription): Promise<void> {
    const { id } = subscription
    if ((await this.get(id)) !== undefined) throw alreadyExists('Subscription', id)
    const { writer } = this.session
    const sql = 'INSERT INTO subscription (n, id, document, state) VALUES ($1, $2, $3, $4)'
    writer.hold(sql, writer.nextN(), id, JSON.stringify(subscription), JSON.stringify(state))
    writer.add('jobs', 1)
  }

  async save({ subscription, state }: StoredSubscription): Promise<void> {
    const sql = 'UPDATE subscription SET document = $1, state = $2 WHERE id = $3'
    this.session.writer.hold(sql, JSON.stringify(subscription), JSON.stringify(state), subscription.id)
  }

  async remove(id: string): Promise<void> {
    this.session.writer.hold('DELETE FROM subscription WHERE id = $1', id)
  }

  async noteDelivery(id: string, delivery: SubscriptionDelivery, keep: number): Promise<void> {
    const { writer } = this.session
    const document = JSON.stringify(delivery)
    const update = 'UPDATE subscription_delivery SET document = $1 WHERE subscription_id = $2 AND id = $3'
    if ((await writer.run(update, document, id, delivery.id)) > 0) return
    const insert = 'INSERT INTO subscription_delivery (n, subscription_id, id, document) VALUES ($1, $2, $3, $4)'
    writer.hold(insert, writer.nextN(), id, delivery.id, document)
    writer.hold(
      `DELETE FROM subscription_delivery WHERE subscription_id = $1 AND n <=
         (SELECT n FROM subscription_delivery WHERE subscription_id = $1 ORDER BY n DESC LIMIT 1 OFFSET $2)`,
      id,
      keep,
    )
  }
}

function toStored({ document, state }: Row): StoredSubscription {
  return { subscription: JSON.parse(document) as Subscription, state: JSON.parse(state) as SubscriptionState }
}
