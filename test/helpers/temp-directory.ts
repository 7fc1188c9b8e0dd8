// Makes a test's own directory, which is removed when the process of the test file ends. All its users are closed
// before.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const made: string[] = []

process.on('exit', () => {
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
})

export function makeTempDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'pimlet-'))
  made.push(directory)
  return directory
}
