// Measures the time from the start command to the line that announces the server, on the existing records.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { ensureExecutable } from '../../package/release.ts'
import { type Command, pimletBundle, startPimlet } from '../processes.ts'
import { median } from '../statistics.ts'
import { milliseconds, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'

const STARTS = 15
const BAR = 400

export async function measureStarting({ directory, files }: Workspace, records: number): Promise<Row[]> {
  const dataDir = path.join(directory, 'data-to-start')
  mkdirSync(dataDir)
  files.copyTo(dataDir)
  const packaged: Command = [await ensureExecutable()]
  const bundled = pimletBundle(path.join(directory, 'bundle'))
  const times: number[] = []
  const bundleTimes: number[] = []
  // The first start stores its native code.
  await measureStart(packaged, dataDir)
  for (let start = 0; start < STARTS; start += 1) {
    times.push(await measureStart(packaged, dataDir))
    bundleTimes.push(await measureStart(bundled, dataDir))
  }
  return [
    {
      name: `start of the executable on ${records.toLocaleString('en-US')} records, to the listening line (longest of ${STARTS}: ${milliseconds(Math.max(...times))}); reference: the bundle, run by Node`,
      pimlet: milliseconds(median(times)),
      reference: milliseconds(median(bundleTimes)),
      ratio: median(times) / median(bundleTimes),
      bar: `≤ ${BAR} ms`,
      isHeld: median(times) <= BAR,
    },
  ]
}

async function measureStart(command: Command, dataDir: string): Promise<number> {
  const begin = performance.now()
  const server = await startPimlet(command, dataDir)
  const time = performance.now() - begin
  await server.stop()
  return time
}
