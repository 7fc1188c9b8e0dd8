// `node test/upgrade/make-fixture.ts`: at a release, keeps a data directory of this version for the tests of all later ones.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { keyClient } from '../helpers/client.ts'
import { untilIndexed } from '../helpers/indexed.ts'
import { startServer } from '../helpers/server.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'
import { startWebhookSink } from '../helpers/webhook-sink.ts'
import { packFixture } from './fixture.ts'
import { askAll } from './questions.ts'
import { fillWorkspace } from './workspace.ts'

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}
const dataDir = makeTempDirectory()
const sink = await startWebhookSink({ secret: 'a secret of both' })
const server = await startServer({ dataDir, allowDestinations: ['127.0.0.1'] })
const key = await fillWorkspace(server, sink)
await untilIndexed(server.admin)
const answers = { admin: await askAll(server.admin), clerk: await askAll(keyClient(server.url, key)) }
await server.stop()
await sink.close()
packFixture(dataDir, { version, answers, clerkKey: key })
