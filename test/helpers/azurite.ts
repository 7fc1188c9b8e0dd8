// Runs Azurite, Microsoft's emulator of Azure Blob Storage, as a child process with its own account. An onlooker with
// full rights sees the results of deliveries.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob'

export interface Azurite {
  readonly host: string
  readonly port: number
  readonly accountName: string
  readonly accountKey: string
  readonly credential: StorageSharedKeyCredential
  readonly service: BlobServiceClient
  close(): Promise<void>
}

const MAIN = join(dirname(createRequire(import.meta.url).resolve('azurite/package.json')), 'dist/src/blob/main.js')

export async function startAzurite(): Promise<Azurite> {
  const directory = mkdtempSync(join(tmpdir(), 'pimlet-azurite-'))
  const port = await findFreePort()
  const accountName = 'pimlettest'
  const accountKey = randomBytes(64).toString('base64')
  const args = [MAIN, '--blobPort', String(port), '--location', directory]
  const child = spawn(process.execPath, [...args, '--skipApiVersionCheck', '--disableTelemetry', '--silent'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, AZURITE_ACCOUNTS: `${accountName}:${accountKey}` },
  })
  const exited = once(child, 'exit')
  await untilListening(child.stdout, exited)
  const credential = new StorageSharedKeyCredential(accountName, accountKey)
  return {
    host: '127.0.0.1',
    port,
    accountName,
    accountKey,
    credential,
    service: new BlobServiceClient(`http://127.0.0.1:${port}/${accountName}`, credential),
    close: async () => {
      child.kill('SIGTERM')
      await exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function untilListening(output: NodeJS.ReadableStream, exited: Promise<unknown>): Promise<void> {
  const lines = createInterface(output)
  const ready = new Promise<boolean>((resolve) => {
    lines.on('line', (line) => line.includes('successfully listen') && resolve(true))
  })
  const ended = exited.then(() => false)
  if (!(await Promise.race([ready, ended]))) throw new Error('azurite ended before it listened')
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export async function readBlob({ service }: Azurite, container: string, name: string): Promise<Buffer | undefined> {
  const blob = service.getContainerClient(container).getBlobClient(name)
  return (await blob.exists()) ? blob.downloadToBuffer() : undefined
}

export async function listBlobs({ service }: Azurite, container: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of service.getContainerClient(container).listBlobsFlat()) names.push(name)
  return names
}

/** Lists names of blobs with uncommitted blocks. */
export async function listUncommitted({ service }: Azurite, container: string): Promise<string[]> {
  const client = service.getContainerClient(container)
  const names: string[] = []
  for await (const { name } of client.listBlobsFlat({ includeUncommitedBlobs: true })) {
    const { uncommittedBlocks } = await client.getBlockBlobClient(name).getBlockList('uncommitted')
    if ((uncommittedBlocks ?? []).length > 0) names.push(name)
  }
  return names
}
