// A proxy between a store and its PostgreSQL: counts round trips, and loses responses.
import { mkdirSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { makeTempDirectory } from './temp-directory.ts'
import { socketOf } from './postgres.ts'
import { urlThrough } from './postgres-programs.ts'
import type { Lifetime } from './shared-in-suite.ts'

export interface PostgresProxy {
  /** `url` through the proxy. */
  readonly url: string
  /** Returns the round trips since the last call: how often a client sent data after the server had. */
  takeRoundTrips(): number
  /** Loses the response to the next commit, and its connection. */
  loseNextCommit(): void
  /** Like `loseNextCommit`, but with a last error message, as poolers send. */
  loseNextCommitTelling(): void
  /** Loses the next message to the database, and its connection. */
  loseNextQuestion(): void
}

const MILLISECONDS_AWAY = 10
/** The message of pgbouncer when its database has ended a connection. */
const LAST_FIELDS = 'SFATAL\0C08P01\0Mserver conn crashed?\0\0'
const LAST_WORD = Buffer.concat([
  Buffer.from('E\0\0\0'),
  Buffer.from([4 + LAST_FIELDS.length]),
  Buffer.from(LAST_FIELDS),
])

/** @param socket of the database, or of a proxy before it */
export async function openProxy(url: string, test: Lifetime, socket?: string): Promise<PostgresProxy> {
  const server = socket ?? (await socketOf())
  const directory = path.join(makeTempDirectory(), 's')
  mkdirSync(directory)
  const sockets = new Set<Socket>()
  let roundTrips = 0
  let lost: 'commit' | 'told commit' | 'question' | undefined
  const proxy = createServer((client) => {
    const database = createConnection(server)
    let isAnswered = true
    const end = (): void => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    client.on('data', (data) => {
      if (isAnswered) roundTrips += 1
      isAnswered = false
      if (lost !== 'question') database.write(data)
      else {
        lost = undefined
        end()
      }
    })
    let answers: Buffer[] = []
    database.on('data', (data) => {
      if (lost === 'commit' && data.includes('COMMIT\0')) {
        lost = undefined
        end()
        return
      }
      if (lost === 'told commit' && data.includes('COMMIT\0')) {
        lost = undefined
        database.destroy()
        client.write(LAST_WORD)
        return
      }
      // The database is far away: responses to messages sent together arrive together.
      if (answers.length === 0)
        setTimeout(() => {
          isAnswered = true
          client.write(Buffer.concat(answers))
          answers = []
        }, MILLISECONDS_AWAY)
      answers.push(data)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(path.join(directory, path.basename(server)), resolve))
  test.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => proxy.close(resolve))
  })
  return {
    url: urlThrough(url, directory),
    takeRoundTrips() {
      const taken = roundTrips
      roundTrips = 0
      return taken
    },
    loseNextCommit: () => void (lost = 'commit'),
    loseNextCommitTelling: () => void (lost = 'told commit'),
    loseNextQuestion: () => void (lost = 'question'),
  }
}
