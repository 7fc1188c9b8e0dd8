// The contract of stores of bytes: a directory, S3 (a strict fixture, and OpenStack Swift where it is installed), and Azure.
import assert from 'node:assert/strict'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { createAzureStore } from '../../../src/files/content/azure-store.ts'
import { createDirectoryStore } from '../../../src/files/content/directory-store.ts'
import { createS3Store } from '../../../src/files/content/s3-store.ts'
import { startAzurite } from '../../helpers/azurite.ts'
import { makeNetwork } from '../../helpers/run-context.ts'
import { startS3Fixture } from '../../helpers/s3-fixture.ts'
import { askS3, type S3Server } from '../../helpers/s3-onlooker.ts'
import { startSwift, swiftIsAbsent } from '../../helpers/swift.ts'
import { makeTempDirectory } from '../../helpers/temp-directory.ts'
import { contentStoreContract, type StageOfStore } from './contract.ts'

const ACCOUNT = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+secret', region: 'eu-central-1' }
const BUCKET = 'pictures'

contentStoreContract('a directory', async () => {
  const directory = path.join(makeTempDirectory(), 'files')
  const open = () => createDirectoryStore(directory, { isShared: true })
  const addStranger = async (): Promise<void> => {
    mkdirSync(path.join(directory, 'ab'), { recursive: true })
    writeFileSync(path.join(directory, 'ab', 'README'), 'mine')
    writeFileSync(path.join(directory, 'README'), 'mine')
  }
  return { store: open(), other: open(), addStranger }
})

function s3Stage(server: S3Server & { close(): Promise<void> }): StageOfStore {
  const { accessKeyId, secretAccessKey, region } = server.account
  const endpoint = `http://${server.host}:${server.port}`
  const config = { bucket: BUCKET, path: 'of/shop', region, endpoint, accessKeyId, secretAccessKey }
  const network = makeNetwork()
  const open = () => createS3Store({ config, network, arrivals: makeTempDirectory() })
  const addStranger = async (): Promise<void> => {
    await askS3(server, { method: 'PUT', url: `/${BUCKET}/of/shop/ab/README`, body: Buffer.from('mine') })
    await askS3(server, { method: 'PUT', url: `/${BUCKET}/ab/${'ab'.repeat(32)}`, body: Buffer.from('mine') })
  }
  const close = async (): Promise<void> => {
    network.close()
    await server.close()
  }
  return { store: open(), other: open(), addStranger, close }
}

contentStoreContract('S3', async () => s3Stage(await startS3Fixture({ account: ACCOUNT, buckets: [BUCKET] })))

contentStoreContract(
  'OpenStack Swift',
  async () => {
    const swift = await startSwift()
    await askS3(swift, { method: 'PUT', url: `/${BUCKET}` })
    return s3Stage(swift)
  },
  swiftIsAbsent(),
)

contentStoreContract('Azure Blob Storage', async () => {
  const azurite = await startAzurite()
  const container = azurite.service.getContainerClient(BUCKET)
  await container.create()
  const { accountName, accountKey, host, port } = azurite
  const endpoint = `http://${host}:${port}/${accountName}`
  const config = { container: BUCKET, path: 'of/shop', accountName, accountKey, endpoint }
  const network = makeNetwork()
  const open = () => createAzureStore({ config, network, arrivals: makeTempDirectory() })
  const addStranger = async (): Promise<void> => {
    await container.getBlockBlobClient('of/shop/ab/README').upload('mine', 4)
  }
  const close = async (): Promise<void> => {
    network.close()
    await azurite.close()
  }
  return { store: open(), other: open(), addStranger, close }
})

describe('A store of bytes that is away', () => {
  it('answers UNAVAILABLE with a sentence without secrets, and works again afterwards', async () => {
    const server = await startS3Fixture({ account: ACCOUNT, buckets: [BUCKET] })
    const { store, close } = s3Stage(server)
    await store.prepare()
    server.failNext('GET', [
      { status: 503, code: 'SlowDown' },
      { status: 503, code: 'SlowDown' },
    ])
    await assert.rejects(store.open('ab'.repeat(32)), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'UNAVAILABLE')
      assert.match(error.message, /^The store of files s3:\/\/pictures\/of\/shop cannot be used: /)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
    assert.equal(await store.sizeOf('ab'.repeat(32)), undefined)
    await close?.()
  })

  it('has no unfinished upload of a large file that it refused', async () => {
    const server = await startS3Fixture({ account: ACCOUNT, buckets: [BUCKET] })
    const { store, close } = s3Stage(server)
    await store.prepare()
    const file = path.join(makeTempDirectory(), 'large')
    writeFileSync(file, Buffer.alloc(9 * 1024 * 1024))
    const refusal = { status: 403, code: 'AccessDenied' }
    server.failNext('PUT', [refusal, refusal])
    await assert.rejects(store.keep('ab'.repeat(32), file), /AccessDenied/)
    assert.equal(server.store.uploads.size, 0)
    await close?.()
  })

  it('is refused at the start where its bucket does not exist', async () => {
    const server = await startS3Fixture({ account: ACCOUNT, buckets: [] })
    const { store, close } = s3Stage(server)
    await assert.rejects(store.prepare(), /NoSuchBucket/)
    await close?.()
  })
})

describe('A directory of bytes', () => {
  it('is for the server alone: directories and files are closed to others', async () => {
    const directory = path.join(makeTempDirectory(), 'files')
    const store = createDirectoryStore(directory, { isShared: false })
    await store.prepare()
    const file = path.join(store.arrivals, 'one')
    writeFileSync(file, 'content', { mode: 0o600 })
    const sha256 = 'cd'.repeat(32)
    await store.keep(sha256, file)
    assert.equal(statSync(path.join(directory, 'cd')).mode & 0o777, 0o700)
    assert.equal(statSync(path.join(directory, 'cd', sha256)).mode & 0o777, 0o600)
    assert.equal(statSync(store.arrivals).mode & 0o777, 0o700)
  })
})
