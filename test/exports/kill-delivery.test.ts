// A server that is killed (`kill -9`) at several points of a delivery to each destination: afterwards every run row says what
// happened, and the destination holds a whole file or none. One death meets several runs, each at another point.
// A long file: `npm run test:all` runs it.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { litterIn, makeJob, type RunBody, trigger, whenEnded } from '../helpers/export-jobs.ts'
import { assertInterrupted, makeWorkspaces, type OpenWorkspace, type Workspace } from '../helpers/export-workspace.ts'
import { installHaltingSample, makeStage } from '../helpers/halting-fs.ts'
import { sizeOf } from '../helpers/in-full.ts'
import { PLACES } from '../helpers/places.ts'
import { eventually } from '../helpers/puppet.ts'
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts'
import { makeTempDirectory } from '../helpers/temp-directory.ts'

/** As many runs as go on at the same time. */
const AT_ONCE = 4

const job = (destinationType: string, destinationConfig: object, filenameTemplate: string) => ({
  name: 'Killed',
  format: 'csv',
  schemaId: destinationType === 's3' || destinationType === 'azure-blob' ? 'sch-parts' : 'sch-small',
  schedule: '0 3 1 1 *',
  includeVariants: true,
  compress: false,
  destinationType,
  destinationConfig,
  filenameTemplate,
})

/** Begins a run for each of `points`, kills the server when all of them stand still, and starts it again. */
async function killAt<Point>(
  workspace: Workspace,
  points: readonly Point[],
  begin: (
    point: Point,
    index: number,
  ) => Promise<{ run: RunBody; whenStill: () => Promise<unknown>; end?: () => void }>,
): Promise<void> {
  for (let first = 0; first < points.length; first += AT_ONCE) {
    const some = points.slice(first, first + AT_ONCE)
    const begun = await Promise.all(some.map((point, index) => begin(point, first + index)))
    await Promise.all(begun.map(({ whenStill }) => whenStill()))
    await workspace.killAndRestart(() => begun.forEach(({ end }) => end?.()))
    await assertInterrupted(
      workspace,
      begun.map(({ run }) => run),
    )
  }
  assert.deepEqual(await litterIn(path.join(workspace.dataDir, 'spool'), workspace.server.admin), [])
}

/** Where the link dies, as a part of what a whole delivery sends; `mute`: all arrives, and no answer comes back. */
const LINK_POINTS: readonly (readonly [part: number, isMute?: true])[] = [
  [0],
  [0.3],
  [0.999],
  [0.9999, true],
  ...sizeOf<(readonly [part: number, isMute?: true])[]>({
    full: [[0.02], [0.1], [0.5], [0.7], [0.9], [0.5, true]],
    short: [],
  }),
]

/** Until nothing more comes through, because the link is dead. */
async function whenStalled(proxy: TcpProxy): Promise<void> {
  await eventually(async () => {
    const before = proxy.received
    await sleep(200)
    return proxy.received > 0 && proxy.received === before
  })
}

/** What the sample does when the server dies, and whether the file is there then. */
const FILE_POINTS: readonly (readonly [point: string, isThere: boolean])[] = [
  ['open 1 before', false],
  ['open 1 after', false],
  ['write 1 after', false],
  ['write 3 before', false],
  ['write 5 after', false],
  ['write 8 after', false],
  ['sync 1 before', false],
  ['rename 1 before', false],
  ['rename 1 after', true],
  ['sync 2 after', true],
]

describe('A server that is killed while it delivers', { concurrency: true, timeout: 600_000 }, () => {
  let openWorkspace: OpenWorkspace
  before(async () => {
    openWorkspace = await makeWorkspaces()
  })

  for (const [type, openPlace] of Object.entries(PLACES))
    it(`to ${type}, at several points, leaves a whole file or none`, async (t) => {
      const place = await openPlace()
      t.after(() => place.close())
      const workspace = await openWorkspace()
      t.after(() => workspace.stop())
      const beginThrough = async (proxy: TcpProxy, name: string): Promise<RunBody> => {
        t.after(() => proxy.kill())
        const { admin } = workspace.server
        return trigger(admin, (await makeJob(admin, job(type, place.config(proxy), name))).id)
      }
      const good = await startTcpProxy(place.address)
      const model = await whenEnded(workspace.server.admin, await beginThrough(good, 'whole'))
      assert.equal(model.status, 'success', model.error ?? '')
      const bytes = (await place.read('whole'))!
      assert.equal(bytes.length, model.fileSize)
      const sent = good.received

      await killAt(workspace, LINK_POINTS, async ([part, isMute], index) => {
        const proxy = await startTcpProxy(place.address)
        if (isMute) proxy.muteAfter(Math.floor(sent * part))
        else proxy.blackHoleAfter(Math.floor(sent * part))
        const run = await beginThrough(proxy, `file-${index}`)
        return { run, whenStill: () => whenStalled(proxy), end: () => proxy.pass() }
      })

      let delivered = 0
      for (const index of LINK_POINTS.keys()) {
        const file = await place.read(`file-${index}`)
        if (file === undefined) continue
        delivered += 1
        assert.ok(file.equals(bytes), `file-${index} has ${file.length} of ${bytes.length} bytes`)
      }
      const names = await place.visible()
      assert.equal(names.length, delivered + 1, names.join(' '))
      await eventually(async () => place.hidden === undefined || (await place.hidden()).length === 0)
      t.diagnostic(`${delivered} of ${LINK_POINTS.length} files are there, whole; ${sent} bytes make one`)
    })

  it('into a directory, by the sample plugin, at several points, leaves a whole file or none', async (t) => {
    const workspace = await openWorkspace((dataDir) => installHaltingSample(path.join(dataDir, 'plugins')))
    t.after(() => workspace.stop())
    const root = makeTempDirectory()
    const beginIn = async (directory: string): Promise<RunBody> => {
      const { admin } = workspace.server
      return trigger(admin, (await makeJob(admin, job('file', { directory }, 'export.csv'))).id)
    }
    const whole = makeStage(root, 'whole')
    const model = await whenEnded(workspace.server.admin, await beginIn(whole.directory))
    const bytes = readFileSync(path.join(whole.directory, 'export.csv'))
    assert.deepEqual([model.status, model.fileSize], ['success', bytes.length])

    await killAt(workspace, FILE_POINTS, async ([point]) => {
      const stage = makeStage(root, point)
      return { run: await beginIn(stage.directory), whenStill: () => eventually(stage.isHalted) }
    })

    for (const [point, isThere] of FILE_POINTS) {
      const file = path.join(root, point, 'export.csv')
      assert.equal(existsSync(file), isThere, point)
      if (isThere) assert.ok(readFileSync(file).equals(bytes), point)
      await eventually(() => readdirSync(path.dirname(file)).length === (isThere ? 1 : 0))
    }
  })
})
