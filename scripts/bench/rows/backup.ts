// Creates records while `pimlet backup` copies the workspace, and measures the longest wait of a writer.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { LoadResult } from '../load.ts'
import { pimletBundle } from '../processes.ts'
import { median } from '../statistics.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const ROUNDS = 3
const WRITERS = 4
const MILLISECONDS = 4000
/** More records than are created in the time. */
const CREATIONS = 12_000
const BAR = 50

export async function measureBackup(workspace: Workspace): Promise<Row[]> {
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await prepare(workspace)
    const idle = await create(workspace)
    await prepare(workspace)
    const [busy, seconds] = await Promise.all([create(workspace), backUp(workspace)])
    rounds.push({ idle, busy, seconds })
    await workspace.files.whenIndexed()
  }
  const longest = median(rounds.map(({ busy }) => busy.max))
  const rate = median(rounds.map(({ busy }) => busy.perSecond))
  const seconds = median(rounds.map((round) => round.seconds))
  return [
    {
      name: `the longest that one of ${WRITERS} clients waits for a create during a backup (${perSecond(rate)} created; ${seconds.toFixed(1)} s, checked); reference: without one`,
      pimlet: milliseconds(longest),
      reference: milliseconds(median(rounds.map(({ idle }) => idle.max))),
      bar: `≤ ${BAR} ms`,
      isHeld: longest <= BAR,
    },
    {
      name: 'the same, p99',
      pimlet: milliseconds(median(rounds.map(({ busy }) => busy.p99))),
      reference: milliseconds(median(rounds.map(({ idle }) => idle.p99))),
    },
  ]
}

function prepare(workspace: Workspace): Promise<void> {
  return workspace.writer.prepareCreations(workspace.takeNumbers(CREATIONS), CREATIONS)
}

function create({ writer, server }: Workspace): Promise<LoadResult> {
  return writer.create({ port: server.port, connections: WRITERS, milliseconds: MILLISECONDS })
}

/** Resolves to the seconds of the backup. */
async function backUp({ directory }: Workspace): Promise<number> {
  const [program, ...args] = pimletBundle(path.join(directory, 'bundle'))
  const begin = performance.now()
  const dataDir = path.join(directory, 'data')
  const file = path.join(directory, 'bench.pimlet')
  const child = spawn(program, [...args, 'backup', file, '--data-dir', dataDir, '--force'], { stdio: 'ignore' })
  const [status] = (await once(child, 'exit')) as [number]
  if (status !== 0) throw new Error(`The backup ended with status ${status}`)
  return (performance.now() - begin) / 1000
}
