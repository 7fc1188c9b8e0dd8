// Simulates a database a millisecond away: a process between server and socket delays responses.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import path from 'node:path'

export interface Delay {
  /** Directory of the process's socket. */
  readonly directory: string
  close(): Promise<void>
}

export async function openDelay(database: string): Promise<Delay> {
  const directory = path.join(path.dirname(database), 'delayed')
  mkdirSync(directory)
  const child = fork(path.join(import.meta.dirname, 'delay-process.ts'), [database, directory])
  await once(child, 'message')
  return {
    directory,
    async close() {
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    },
  }
}
