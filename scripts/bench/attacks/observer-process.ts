// Requests a server's health and a record over and over, and notes the longest wait.
import { Agent, get } from 'node:http'
import type { ObservedWaits, ObserverOrder } from './observer.ts'

const PAUSE = 20
/** Milliseconds after which a request counts as not served. */
const GIVEN_UP = 20_000

interface Question {
  readonly path: string
  readonly headers: Record<string, string>
  /** Health checks open new connections; other requests reuse theirs. */
  readonly agent: Agent | false
}

class Asking {
  readonly #question: Question & { readonly port: number }
  readonly #ended: Promise<void>
  #isOver = false
  #since = 0
  longest = 0
  count = 0
  failures: string[] = []

  constructor(question: Question & { readonly port: number }) {
    this.#question = question
    this.#ended = this.#askOn()
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#ended
  }

  async #askOn(): Promise<void> {
    while (!this.#isOver) {
      this.#since = performance.now()
      const outcome = await ask(this.#question)
      this.longest = Math.max(this.longest, performance.now() - this.#since)
      this.count += 1
      if (outcome !== '200') this.failures.push(outcome)
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
  }
}

/** Resolves to the status, or to the fault. */
function ask({ port, path, headers, agent }: Question & { readonly port: number }): Promise<string> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, headers, agent, timeout: GIVEN_UP }, (response) => {
      response.resume()
      response.once('end', () => resolve(String(response.statusCode)))
      response.once('error', (error) => resolve(error.message))
    })
    request.once('timeout', () => request.destroy(new Error('no answer')))
    request.once('error', (error) => resolve(error.message))
  })
}

let asking: { health: Asking; record: Asking } | undefined

async function follow(order: ObserverOrder): Promise<ObservedWaits | null> {
  if (order.kind === 'begin') {
    const { port, path, key } = order
    asking = {
      health: new Asking({ port, path: '/healthz', headers: {}, agent: false }),
      record: new Asking({ port, path, headers: { 'x-service-apikey': key }, agent: new Agent({ keepAlive: true }) }),
    }
    return null
  }
  const { health, record } = asking!
  await Promise.all([health.end(), record.end()])
  return {
    health: health.longest,
    record: record.longest,
    asked: health.count + record.count,
    failures: [...health.failures, ...record.failures],
  }
}

process.on('message', (order: ObserverOrder) => void follow(order).then((result) => process.send!(result)))
process.on('disconnect', () => process.exit(0))
