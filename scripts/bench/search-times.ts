// Measures searches one after another over one connection.
import { SCHEMA_ID } from './catalogue.ts'
import { httpRequest, runLoad } from './load.ts'
import { API_KEY } from './processes.ts'
import { median } from './statistics.ts'
import type { Workspace } from './workspace.ts'

const ROUNDS = 5
const ASKED = 20

export interface TimedSearch {
  /** Milliseconds: median of medians. */
  readonly time: number
  readonly headers: Headers
  readonly text: string
}

type Body = Readonly<Record<string, unknown>>

/**
 * Requests a page of 50 with its total, unless `body` differs.
 * @param body or a body for each number, so that no search is repeated
 * @throws where the request is refused
 */
export async function timeSearch(
  { server }: Workspace,
  body: Body | ((number: number) => Body),
  path = '/api/v1/search',
): Promise<TimedSearch> {
  const wholeOf = (number: number): string => {
    const own = typeof body === 'function' ? body(number) : body
    return JSON.stringify({ schemaId: SCHEMA_ID, criteria: [], criteriaOperator: 'and', limit: 50, ...own })
  }
  const whole = wholeOf(0)
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: { 'x-service-apikey': API_KEY, 'content-type': 'application/json' },
    body: whole,
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${whole}: ${text}`)
  const times = []
  for (let round = 0; round < ROUNDS; round += 1) {
    let sent = 0
    const nextRequest = (): string | undefined =>
      sent++ < ASKED ? httpRequest('POST', path, API_KEY, wholeOf(round * ASKED + sent)) : undefined
    times.push((await runLoad({ port: server.port, connections: 1, nextRequest })).p50)
  }
  return { time: median(times), headers: answer.headers, text }
}
