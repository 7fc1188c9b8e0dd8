// A disk of a few megabytes for filling: a file system in memory, where mounting is permitted.
import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { makeTempDirectory } from './temp-directory.ts'

export interface SmallDisk {
  readonly directory: string
  /** Fills the disk except for this many bytes. */
  fill(left?: number): void
  /** Frees the space that `fill` used. */
  free(): void
  /** Makes the disk read-only. */
  makeReadOnly(): void
  unmount(): void
}

/** Undefined: mounting is not permitted. @param options for `mount -o` */
export function mountSmallDisk(options: string): SmallDisk | undefined {
  const directory = makeTempDirectory()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  const filler = path.join(directory, 'filler')
  return {
    directory,
    fill(left = 0) {
      const { bavail, bsize } = statfsSync(directory)
      const bytes = bavail * bsize - left
      try {
        if (bytes > 0) appendFileSync(filler, Buffer.alloc(bytes))
      } catch (error) {
        // Another writer used the space first.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    free: () => rmSync(filler, { force: true }),
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', directory], { stdio: 'ignore' }),
    unmount: () => void execFileSync('umount', ['--lazy', directory], { stdio: 'ignore' }),
  }
}

export const NOT_PERMITTED = 'mounting is not permitted here'
