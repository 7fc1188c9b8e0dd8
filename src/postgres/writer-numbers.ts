// Numbers that transactions of a batch are given: they go on where the workspace row has ended, and into it with the commit.
import type { WorkspaceRow } from './workspace-row.ts'

export class WriterNumbers {
  /** As it was before the batch. */
  readonly row: WorkspaceRow
  version: number
  n: number
  exportFeeds: number

  constructor(row: WorkspaceRow) {
    this.row = row
    this.version = row.version
    this.n = row.n
    this.exportFeeds = row.exportFeeds
  }

  newVersion(): number {
    return (this.version += 1)
  }

  nextN(): number {
    return (this.n += 1)
  }

  nextFeed(): number {
    return (this.exportFeeds += 1)
  }

  /** Returns a function that takes back the versions given from now on: versions have no gaps. */
  mark(): () => void {
    const { version } = this
    return () => (this.version = version)
  }
}
