// Pictures that take much memory or time, damaged ones, and contents of two kinds, all at once.
import { readdirSync, readFileSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import type { Attack, Target } from './attack.ts'

const LARGE = 10
/** Milliseconds between two looks at the memory. */
const LOOK = 50
const MB = 1024 ** 2

interface Content {
  readonly name: string
  readonly bytes: Buffer
}

let contents: readonly Content[] = []

export const heavyPictures: Attack = {
  name: 'pictures of 24 megapixels, a TIFF of 190 MB, a PNG of 20,000², damaged ones',
  longestWait: 500,
  async prepare(target) {
    await target.send('POST', '/api/v1/schemas/picture', { id: 'sch-picture', name: 'Picture' })
    contents = await makeContents()
  },
  async run(target) {
    const counts = new Map<string, number>()
    const memory = watchMemory(target.pid)
    await Promise.all(
      contents.map(async (content, index) => {
        for (const status of await useContent(target, content, `pic-${index}`))
          counts.set(status, (counts.get(status) ?? 0) + 1)
      }),
    )
    const most = Math.round(memory.end() / MB)
    contents = []
    const told = [...counts]
      .map(([status, count]) => `${status} (${count})`)
      .toSorted((one, other) => one.localeCompare(other))
    return `${told.join(', ')}; server and picture processes took ${most} MB together`
  },
}

/** Uploads the content, names it in a record and asks for its renditions; resolves to the statuses. */
async function useContent(
  { port, adminKey }: Target,
  { name, bytes }: Content,
  id: string,
): Promise<readonly string[]> {
  const ask = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { 'x-service-apikey': adminKey, ...(init.headers as Record<string, string> | undefined) }
    return fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
  }
  const sent = await ask(`/api/v1/files?fileName=${name}`, { method: 'POST', body: new Uint8Array(bytes) })
  const text = await sent.text()
  if (sent.status >= 300) return [`upload ${sent.status}`]
  const { sha256, fileName } = JSON.parse(text) as { sha256: string; fileName: string }
  const body = { id, schemaId: 'sch-picture', values: { content: [{ scope: {}, value: { sha256, fileName } }] } }
  const headers = { 'content-type': 'application/json' }
  const named = await ask('/api/v1/records', { method: 'POST', headers, body: JSON.stringify(body) })
  await named.text()
  if (named.status >= 300) return [`upload ${sent.status}`, `record ${named.status}`]
  const renditions = ['thumb', 'web', 'square'].map(async (preset) => {
    const answer = await ask(`/api/v1/records/${id}/files/${sha256}/renditions/${preset}`)
    await answer.arrayBuffer()
    return `rendition ${answer.status}`
  })
  return [`upload ${sent.status}`, ...(await Promise.all(renditions))]
}

async function makeContents(): Promise<Content[]> {
  const large = await noise(6000, 4000).jpeg({ quality: 85 }).toBuffer()
  const small = await noise(600, 400).jpeg().toBuffer()
  const png = await noise(600, 400).png().toBuffer()
  const webp = await noise(600, 400).webp().toBuffer()
  const create = { width: 8000, height: 8000, channels: 3, background: '#123456' } as const
  const tiff = await sharp({ create }).tiff({ compression: 'none' }).toBuffer()
  const huge = { ...create, width: 20_000, height: 20_000 }
  const bomb = await sharp({ create: huge, limitInputPixels: false }).png({ compressionLevel: 9 }).toBuffer()
  const page = Buffer.from('<!doctype html><script>1</script>')
  return [
    ...Array.from({ length: LARGE }, (_, index) => ({
      name: `large-${index}.jpg`,
      bytes: Buffer.concat([large, Buffer.from(`${index}`)]),
    })),
    { name: 'large.tiff', bytes: tiff },
    { name: 'bomb.png', bytes: bomb },
    ...[small, png, webp].map((bytes, index) => ({
      name: `cut-${index}`,
      bytes: bytes.subarray(0, bytes.length / 2),
    })),
    ...[small, png, webp].map((bytes, index) => ({ name: `two-${index}`, bytes: Buffer.concat([page, bytes]) })),
    ...[small, png, webp].map((bytes, index) => ({ name: `two-more-${index}`, bytes: Buffer.concat([bytes, page]) })),
  ]
}

function noise(width: number, height: number): Sharp {
  const of = { type: 'gaussian', mean: 128, sigma: 30 } as const
  return sharp({ create: { width, height, channels: 3, background: '#888888', noise: of } }).blur(2)
}

/** The most bytes that the process and its children have had together, without files that the kernel can drop. */
function watchMemory(pid: number): { end(): number } {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, bytesOf(pid))
  }, LOOK)
  return {
    end() {
      clearInterval(timer)
      return most
    },
  }
}

function bytesOf(pid: number): number {
  let bytes = 0
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    bytes = Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const children = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
      for (const child of children.split(' ').filter((id) => id !== '')) bytes += bytesOf(Number(child))
    }
  } catch {
    // The process has ended meanwhile.
  }
  return bytes
}
