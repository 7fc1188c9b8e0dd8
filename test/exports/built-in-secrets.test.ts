// The secrets of the built-in destinations: in no answer, run row, log line, file of the data directory or row of a database,
// whatever happens to a run. (`runner.test.ts` does the same with a plugin that tries to spread them.)
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { send } from '../helpers/answers.ts'
import { cancel, type JobBody, makeJob, type RunBody, trigger, whenEnded } from '../helpers/export-jobs.ts'
import { builtInDestinations } from '../../plugins/index.ts'
import { type Place, PLACES } from '../helpers/places.ts'
import { startServer, type TestServer } from '../helpers/server.ts'
import { everywhere, make } from '../helpers/shirts.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'
import { storedIn } from '../helpers/tested-database.ts'

const PATH = '/api/v1/export-jobs'
/** A key that nobody has; base64, because that is what Azure's are. */
const WRONG = Buffer.from('a secret that fits no server, as long as the keys of an Azure account').toString('base64')

type Config = Record<string, unknown>

const bodyFor = (destinationType: string, destinationConfig: Config) => ({
  name: 'Nightly',
  format: 'csv',
  schedule: '0 3 1 1 *',
  includeVariants: true,
  compress: false,
  filenameTemplate: '{runId}.csv',
  maxAttempts: 1,
  destinationType,
  destinationConfig,
})

/** `config` with another secret in the place of each. */
function withWrongSecrets(config: Config, { secrets }: Place): Config {
  const replace = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replace(member)]))
    return secrets.some((secret) => secret === value) ? WRONG : value
  }
  return replace(config) as Config
}

/** How a secret may look in an answer, or in a file that is read byte by byte. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  return [secret, bytes.toString('latin1'), encodeURIComponent(secret), json, bytes.toString('base64').slice(0, 20)]
}

/** Whatever a client, the log or the disk tells of jobs that succeed, are refused, and hang on a dead link. */
async function collect(server: TestServer, type: string, place: Place): Promise<{ texts: string[]; runs: RunBody[] }> {
  const texts: string[] = []
  const ask = async <Body>(method: string, at: string, body?: object): Promise<Body> => {
    const answer = await send<Body>(server.admin, method, at, body)
    texts.push(answer.text, JSON.stringify([...answer.headers]))
    return answer.body
  }
  const use = async (config: Config): Promise<{ job: JobBody; run: RunBody }> => {
    const { id } = await makeJob(server.admin, bodyFor(type, config))
    const job = await ask<JobBody>('GET', `${PATH}/${id}`)
    await ask('PUT', `${PATH}/${id}`, job)
    await ask('POST', `${PATH}/${id}/check`)
    return { job, run: await trigger(server.admin, id) }
  }
  const proxy = await startTcpProxy(place.address)
  const good = await use(place.config(place.address))
  const refused = await use(withWrongSecrets(place.config(place.address), place))
  const hanging = await use(place.config(proxy))
  const runs = await Promise.all([good, refused].map(({ run }) => whenEnded(server.admin, run)))
  await whenEnded(server.admin, hanging.run)
  proxy.blackHoleAfter(0)
  const last = await trigger(server.admin, hanging.job.id)
  await proxy.waitFor(1)
  assert.ok(server.dataDirs.some((directory) => readdirSync(path.join(directory, 'spool')).includes(last.id)))
  texts.push(...(await storedIn(server.dataDir)))
  await cancel(server.admin, last)
  await whenEnded(server.admin, last)
  await proxy.kill()
  for (const { job } of [good, refused, hanging]) await ask('GET', `${PATH}/${job.id}/runs`)
  await ask('GET', PATH)
  return { texts, runs }
}

describe('The secrets of a job', { concurrency: true }, () => {
  it('are looked for at every built-in destination', () => {
    assert.deepEqual(Object.keys(PLACES).toSorted(), builtInDestinations.map(({ type }) => type).toSorted())
  })

  for (const [type, openPlace] of Object.entries(PLACES))
    it(`to ${type} are nowhere`, async (t) => {
      const place = await openPlace()
      t.after(() => place.close())
      const server = await startServer({ allowDestinations: ['127.0.0.1'] })
      await make(server.admin, '/api/v1/schemas', {
        id: 'sch-s',
        name: 'S',
        attributes: [{ alias: 'title', dataType: 'text' }],
      })
      await make(server.admin, '/api/v1/records', { schemaId: 'sch-s', values: { title: everywhere('one') } })
      const { texts, runs } = await collect(server, type, place)
      assert.deepEqual(
        runs.map(({ status }) => status),
        ['success', 'failed'],
        runs[0]!.error ?? '',
      )
      await server.stop()
      texts.push(JSON.stringify(server.logged), ...(await storedIn(server.dataDir)))
      assert.ok(texts.some((text) => text.includes('********')))
      for (const form of [...place.secrets, WRONG].flatMap(formsOf))
        assert.deepEqual(
          texts.filter((text) => text.includes(form)).map((text) => text.slice(0, 300)),
          [],
        )
    })
})
