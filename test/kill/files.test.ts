// A server that is killed (`kill -9`) at any moment while clients send files, name them, replace them and delete records: no
// file that a value names is missing, and everything that was acknowledged can be read. TEST_KILL_ROUNDS says how often.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../helpers/answers.ts'
import type { Client } from '../helpers/client.ts'
import { ask, hashOf, sendFile } from '../helpers/files.ts'
import { type ServerProcess, startServerProcess } from '../helpers/server-process.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { assertSound } from '../helpers/soundness.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

const ROUNDS = Number(process.env['TEST_KILL_ROUNDS'] ?? 2)
const WRITERS = 4
/** The server dies when so many requests of a round are acknowledged, or fewer. */
const REQUESTS = 60

interface Ledger {
  /** Record → the text whose file it names, as it was acknowledged; undefined: a request about it had no answer. */
  readonly named: Map<string, string | undefined>
  answers: number
}

/** Sends files, names them, replaces them and deletes records, until the server is gone. */
async function write(client: Client, prefix: string, ledger: Ledger): Promise<void> {
  for (let n = 0; ; n += 1) {
    const id = `${prefix}-${n}`
    for (const turn of ['first', 'second']) {
      // Some bytes are the same for all writers.
      const text = n % 3 === 0 ? `shared ${turn} ${n}` : randomBytes(20_000).toString('base64')
      ledger.named.set(id, undefined)
      const { body } = await sendFile(client, text, 'a.txt')
      const values = { content: everywhere({ sha256: body.sha256, fileName: 'a.txt' }) }
      const answer =
        turn === 'first'
          ? await send(client, 'POST', '/api/v1/records', { id, schemaId: 'sch-files', values })
          : await send(client, 'PUT', `/api/v1/records/${id}`, { values })
      assert.ok(answer.status < 300, answer.text)
      ledger.named.set(id, text)
      ledger.answers += 1
    }
    if (n % 4 !== 3) continue
    ledger.named.set(id, undefined)
    assert.equal((await send(client, 'DELETE', `/api/v1/records/${id}`)).status, 204)
    ledger.named.delete(id)
    ledger.answers += 1
  }
}

async function untilKilled(server: ServerProcess, round: number, ledger: Ledger): Promise<void> {
  const before = ledger.answers
  const writers = Array.from({ length: WRITERS }, (_, n) =>
    write(server.admin, `r${round}-w${n}`, ledger).catch((error: unknown) => {
      if (server.isRunning() && !isBroken(error)) throw error
    }),
  )
  const target = 5 + Math.floor(Math.random() * REQUESTS)
  while (ledger.answers - before < target) await sleep(1)
  await sleep(Math.random() * 20)
  await server.kill()
  await Promise.all(writers)
}

/** The connection ended with the server. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && error.name === 'SyntaxError')
}

describe('Files of a server that is killed', { timeout: 1_800_000 }, () => {
  it(`are there as acknowledged, over ${ROUNDS} rounds`, async () => {
    const dataDir = makeTempDirectory()
    const ledger: Ledger = { named: new Map(), answers: 0 }
    let server = await startServerProcess(dataDir)
    await make(server.admin, '/api/v1/schemas', {
      id: 'sch-files',
      name: 'Files',
      attributes: [{ alias: 'content', dataType: 'file' }],
    })
    for (let round = 0; round < ROUNDS; round += 1) {
      await untilKilled(server, round, ledger)
      await assertSound(dataDir, `round ${round}`)
      server = await startServerProcess(dataDir)
      for (const [id, text] of ledger.named) {
        if (text === undefined) continue
        const { status, bytes } = await ask(server.admin, `/api/v1/records/${id}/files/${hashOf(text)}`)
        assert.equal(status, 200, `${id} in round ${round}`)
        assert.equal(bytes.toString(), text)
      }
    }
    await server.kill('SIGTERM')
  })
})
