// Numbers for the transactions of a batch. They continue from the workspace row, and the commit writes them back.
import type { WorkspaceRow } from './workspace-row.ts'

export class WriterNumbers {
  /** The workspace row before the batch. */
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

  /** Returns a function that revokes all versions given after this call: versions have no gaps. */
  mark(): () => void {
    const { version } = this
    return () => (this.version = version)
  }
}
