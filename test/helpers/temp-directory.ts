// A directory of the test's own, gone when the test file's process ends: whatever uses it is closed before.
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
