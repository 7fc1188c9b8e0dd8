// A workspace with a mail server and people, for the tests of daily summaries.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { makeClock } from '../helpers/clock.ts'
import { type MailSink, startMailSink } from '../helpers/mail-sink.ts'
import type { ServerOptions } from '../helpers/server.ts'
import { english, german, makeShirt, startWorkspace, type Workspace } from '../helpers/shirts.ts'
import { makePerson, type TalkingPerson } from './talking.ts'

export const SMTP_PASSWORD = 'pass-7c9e6679f7425de9'
const USER = 'pim'

export interface MessengerBody {
  readonly messenger: {
    readonly type: string
    readonly config: Record<string, unknown>
    readonly lastSentAt: string | null
    readonly lastFailure: { readonly at: string; readonly message: string } | null
  } | null
  readonly types: { readonly type: string }[]
}

export async function openSummaries(
  t: TestContext,
  options: ServerOptions = {},
  testing: ServerOptions['testing'] = {},
) {
  const clock = makeClock()
  const sink = await startMailSink({ user: USER, password: SMTP_PASSWORD })
  t.after(() => sink.close())
  const settings = {
    allowDestinations: ['127.0.0.1'],
    publicUrl: 'https://pim.example.com',
    testing: { system: clock, summaryInterval: 30, ...testing },
    ...options,
  }
  const shop = await startWorkspace(settings)
  const running = { shop }
  t.after(() => running.shop.stop())
  await setUp(shop, sink)
  const anna = await makePerson(shop, 'Anna')
  const ben = await makePerson(shop, 'Ben')
  const name = { name: [english('Linen shirt'), german('Leinenhemd')] }
  const record = (await makeShirt(shop.admin, name)).id
  /** A zone in which it is past 8 in the morning, so that no day ends during a test. */
  const offset = ((8 - clock.now().getUTCHours() + 36) % 24) - 12
  const timeZone = `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
  const at = (hour = 9) => ({ isOn: true, hour, timeZone, language: 'en' })
  return { running, shop, clock, sink, anna, ben, record, at }
}

export const configOf = ({ port }: MailSink) => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  username: USER,
  password: SMTP_PASSWORD,
  from: 'pim@example.com',
})

async function setUp({ admin }: Pick<Workspace, 'admin'>, sink: MailSink): Promise<void> {
  const answer = await send(admin, 'PUT', '/api/v1/messenger', { type: 'mail', config: configOf(sink) })
  assert.equal(answer.status, 200, answer.text)
}

export async function choose({ client }: TalkingPerson, summary: object, off: readonly string[] = []): Promise<void> {
  const body = { off, email: 'anna@example.com', summary }
  const answer = await send(client, 'PUT', '/api/v1/notices/settings', body)
  assert.equal(answer.status, 200, answer.text)
}

export const messengerOf = async (client: Client) =>
  (await send<MessengerBody>(client, 'GET', '/api/v1/messenger')).body.messenger!
