// The processes that decode pictures: how many there are, when they end, and that each fails alone. Contract 4 §3.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Pictures, WithFile } from '../../../src/files/pictures/pictures.ts'
import { definePreset, FIRST_PRESETS, type MadePreset } from '../../../src/files/rules/presets.ts'
import { fileAt, keep, makePictures, newPath, redAndBlue } from './pictures-of-tests.ts'

const thumb = FIRST_PRESETS[0] as MadePreset
const slow = definePreset('slow', { width: 4000, fit: 'inside', format: 'avif', quality: 90 })

describe('Picture processes', () => {
  it('start when they are needed, are two at most, and end when nobody needs them', async () => {
    const pictures = makePictures({ idle: 2000 })
    const path = keep(await redAndBlue(60, 40).toBuffer())
    assert.equal(pictures.running, 0)
    await pictures.describe({ path })
    assert.equal(pictures.running, 1)
    await Promise.all(Array.from({ length: 20 }, () => pictures.describe({ path })))
    assert.equal(pictures.running, 2)
    await until(() => pictures.running === 0)
    assert.equal((await pictures.describe({ path })).width, 60)
  })

  it('take 100 waiting questions; the next one is UNAVAILABLE, to be asked later', async () => {
    const pictures = makePictures()
    const path = keep(await redAndBlue(60, 40).toBuffer())
    const asked = await Promise.allSettled(Array.from({ length: 103 }, () => pictures.describe({ path })))
    const refused = asked.filter((one) => one.status === 'rejected')
    assert.deepEqual(
      refused.map(({ reason: { code, retryAfter, message } }) => [code, retryAfter, message]),
      [['UNAVAILABLE', 2, 'Too many pictures at once: try again later']],
    )
  })

  it('have no variables of the server, such as secrets', { skip: process.platform !== 'linux' }, async () => {
    process.env['PIMLET_ADMIN_PASSWORD'] = 'secret-of-the-server'
    const pictures = makePictures()
    await pictures.describe({ path: keep('text') })
    delete process.env['PIMLET_ADMIN_PASSWORD']
    const [child] = childrenOf(process.pid)
    const names = readFileSync(`/proc/${child}/environ`, 'utf8')
      .split('\0')
      .map((line) => line.split('=', 1)[0])
    assert.deepEqual(
      names.filter((name) => !/^(NODE_CHANNEL_|UV_THREADPOOL_SIZE$|$)/.test(name!)),
      [],
    )
    assert.equal(readFileSync(`/proc/${child}/oom_score_adj`, 'utf8').trim(), '1000')
    await pictures.close()
  })

  it('fetch the file of a picture when it is its turn, and not before', async () => {
    const pictures = makePictures({ pictureWorkers: 1 })
    const path = keep(await redAndBlue(60, 40).toBuffer())
    let [fetched, most] = [0, 0]
    const withOriginal: WithFile = async (work) => {
      most = Math.max(most, (fetched += 1))
      return work(path).finally(() => (fetched -= 1))
    }
    await Promise.all(
      Array.from({ length: 5 }, () => pictures.render({ withOriginal, preset: thumb, output: newPath() })),
    )
    assert.equal(most, 1)
  })

  it('that take too long are killed; their question fails alone, and leaves no file', async () => {
    const pictures = makePictures({ maxTime: 1500 })
    const large = keep(await photograph(4000, 3000))
    const small = keep(await redAndBlue(60, 40).toBuffer())
    const output = newPath()
    const [failed, ...others] = await Promise.allSettled([
      pictures.render({ withOriginal: fileAt(large), preset: slow, output }),
      ...Array.from({ length: 20 }, () =>
        pictures.render({ withOriginal: fileAt(small), preset: thumb, output: newPath() }),
      ),
    ])
    assert.ok(failed.status === 'rejected')
    assert.deepEqual(
      [failed.reason.code, failed.reason.message],
      ['NOT_RENDERABLE', 'The file takes longer than 1.5 s'],
    )
    assert.ok(!existsSync(output))
    assert.ok(others.every(({ status }) => status === 'fulfilled'))
    assert.equal((await pictures.describe({ path: small })).width, 60)
  })

  it('that do not start say nothing of the file', { skip: process.platform !== 'linux' }, async () => {
    const pictures = makePictures()
    const path = keep(await redAndBlue(60, 40).toBuffer())
    const before = new Set(childrenOf(process.pid))
    const describing = pictures.describe({ path })
    const kill = async (): Promise<void> => {
      await until(() => childrenOf(process.pid).some((child) => !before.has(child)))
      for (const child of childrenOf(process.pid)) if (!before.has(child)) process.kill(child, 'SIGKILL')
    }
    await Promise.all([assert.rejects(describing, { code: 'UNAVAILABLE', message: /does not start/ }), kill()])
    assert.equal((await pictures.describe({ path })).width, 60)
  })

  it('that die take one question with them', { skip: process.platform !== 'linux' }, async () => {
    const pictures = makePictures()
    const path = keep(await photograph(3000, 2000))
    const rendering = pictures.render({ withOriginal: fileAt(path), preset: slow, output: newPath() })
    await Promise.all([
      assert.rejects(rendering, { code: 'NOT_RENDERABLE', message: /ended its process \(SIGSEGV\)/ }),
      die(),
    ])
    // A description is asked for again, without the pixels.
    const large = keep(await photograph(8000, 6000))
    const [described] = await Promise.all([pictures.describe({ path: large }), die()])
    assert.equal(described.mediaType, 'image/png')
    assert.equal((await pictures.describe({ path })).width, 3000)
  })

  it('end with the server, and refuse questions afterwards', { skip: process.platform !== 'linux' }, async () => {
    const pictures = makePictures()
    const path = keep(await photograph(3000, 2000))
    const rendering = pictures.render({ withOriginal: fileAt(path), preset: slow, output: newPath() })
    await until(() => childrenOf(process.pid).length > 0)
    const before = childrenOf(process.pid)
    await Promise.all([assert.rejects(rendering), pictures.close()])
    assert.deepEqual(
      childrenOf(process.pid).filter((child) => before.includes(child)),
      [],
    )
    await assert.rejects(pictures.describe({ path }), { code: 'UNAVAILABLE' })
  })

  it('forget a question whose asker is gone before it begins', async () => {
    const pictures = makePictures({ pictureWorkers: 1 })
    const path = keep(await redAndBlue(60, 40).toBuffer())
    const gone = new AbortController()
    const first = pictures.describe({ path })
    const second = pictures.describe({ path }, gone.signal)
    gone.abort(new Error('the asker is gone'))
    await assert.rejects(second, /the asker is gone/)
    assert.equal((await first).width, 60)
  })

  it('decode what takes much memory one after another', { skip: process.platform !== 'linux' }, async () => {
    const pictures = makePictures()
    const original = await photograph(5000, 3200)
    const inScans = keep(
      await sharp(original).jpeg({ progressive: true, chromaSubsampling: '4:4:4', optimiseScans: false }).toBuffer(),
    )
    const peak = watch(pictures)
    await Promise.all(
      Array.from({ length: 3 }, () =>
        pictures.render({ withOriginal: fileAt(inScans), preset: thumb, output: newPath() }),
      ),
    )
    const { most } = await peak.stop()
    assert.ok(most < 400e6, `${Math.round(most / 1e6)} MB in all processes`)
  })
})

/** Noise, which takes an encoder long. */
function photograph(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const small = sharp({ create: { width: width / 4, height: height / 4, channels: 3, background: '#888', noise } })
  return small
    .png()
    .toBuffer()
    .then((bytes) => sharp(bytes).resize(width, height).png({ compressionLevel: 1 }).toBuffer())
}

function childrenOf(pid: number): number[] {
  const found = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
  return found
    .split('\n')
    .filter((line) => line.includes('picture-process'))
    .map((line) => Number.parseInt(line, 10))
}

/** Ends the busy process as a fault of native code would. */
async function die(): Promise<void> {
  // A process that dies while it starts is another matter.
  await until(() => childrenOf(process.pid).some(isBusy))
  for (const child of childrenOf(process.pid).filter(isBusy)) process.kill(child, 'SIGSEGV')
}

/** Whether the process has worked for longer than its start takes: in hundredths of a second. */
function isBusy(child: number): boolean {
  const [user, system] = readFileSync(`/proc/${child}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
  return Number(user) + Number(system) > 70
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let round = 0; !isTrue(); round += 1) {
    assert.ok(round < 200, 'It does not come')
    await sleep(25)
  }
}

/** The most memory of all processes at a time. */
function watch(pictures: Pictures): { stop(): Promise<{ most: number }> } {
  let most = 0
  const timer = setInterval(() => {
    const bytes = childrenOf(process.pid).map(
      (child) => Number(/VmRSS:\s+(\d+)/.exec(readStatus(child))?.[1] ?? 0) * 1024,
    )
    most = Math.max(
      most,
      bytes.reduce((sum, one) => sum + one, 0),
    )
  }, 20)
  return {
    stop: async () => {
      clearInterval(timer)
      await pictures.close()
      return { most }
    },
  }
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
