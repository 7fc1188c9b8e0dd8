// The built-in destinations, each with a real server, for tests of complete runs.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { listBlobs, readBlob, startAzurite } from './azurite.ts'
import { startS3Fixture } from './s3-fixture.ts'
import { listObjects, listUploads, readObject } from './s3-onlooker.ts'
import { startSftpServer } from './sftp-server.ts'
import { startWebhookSink } from './webhook-sink.ts'

/** A real destination from an onlooker's view, and the settings that reach it at an address. */
export interface Place {
  readonly address: { readonly host: string; readonly port: number }
  config(at: { host: string; port: number }): Record<string, unknown>
  /** Secrets in the config. */
  readonly secrets: readonly string[]
  read(name: string): Promise<Buffer | undefined>
  /** Resolves to the names that readers see. */
  visible(): Promise<readonly string[]>
  /** Resolves to hidden names that a start must remove; undefined: the destination removes them itself. */
  hidden?(): Promise<readonly string[]>
  close(): Promise<void>
}

async function openS3(): Promise<Place> {
  const account = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret-of-this-test', region: 'eu-central-1' }
  const server = await startS3Fixture({ account, buckets: ['exports'] })
  return {
    address: server,
    config: ({ host, port }) => ({ bucket: 'exports', endpoint: `http://${host}:${port}`, ...account }),
    secrets: [account.secretAccessKey],
    read: (name) => readObject(server, 'exports', name),
    visible: () => listObjects(server, 'exports'),
    hidden: () => listUploads(server, 'exports'),
    close: () => server.close(),
  }
}

async function openAzure(): Promise<Place> {
  const azurite = await startAzurite()
  await azurite.service.getContainerClient('exports').create()
  const { accountName, accountKey } = azurite
  return {
    address: azurite,
    config: ({ host, port }) => ({
      container: 'exports',
      accountName,
      accountKey,
      endpoint: `http://${host}:${port}/${accountName}`,
    }),
    secrets: [accountKey],
    read: (name) => readBlob(azurite, 'exports', name),
    visible: () => listBlobs(azurite, 'exports'),
    close: () => azurite.close(),
  }
}

async function openSftp(): Promise<Place> {
  const server = await startSftpServer()
  mkdirSync(path.join(server.root, 'in'))
  const isTemporary = (name: string): boolean => name.startsWith('.pimlet-')
  return {
    address: { host: server.host, port: server.port },
    config: ({ host, port }) => ({
      host,
      port,
      username: server.username,
      password: server.password,
      path: 'in',
      hostKeySha256: server.fingerprint,
    }),
    secrets: [server.password],
    read: (name) => server.read(name, 'in'),
    visible: async () => (await server.names('in')).filter((name) => !isTemporary(name)),
    hidden: async () => (await server.names('in')).filter(isTemporary),
    close: () => server.close(),
  }
}

async function openWebhook(): Promise<Place> {
  const sink = await startWebhookSink()
  return {
    address: { host: sink.host, port: sink.port },
    config: ({ host, port }) => ({ url: `http://${host}:${port}${sink.path}`, headers: { 'X-Token': sink.token } }),
    secrets: [sink.token],
    read: async (name) => sink.files.get(name),
    visible: async () => [...sink.files.keys()],
    close: () => sink.close(),
  }
}

export const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  s3: openS3,
  'azure-blob': openAzure,
  sftp: openSftp,
  webhook: openWebhook,
}
