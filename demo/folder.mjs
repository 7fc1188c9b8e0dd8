// A destination of one's own: puts an export into a folder of this machine. One file in the plugins directory is all that
// it takes, and it imports nothing of pimlet. plugins/README.md says what a destination may and must do.
import { copyFile, rename, rm, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'

/** Called when a job is saved: what is wrong with its settings is said then, and not at night. */
function validate(settings) {
  const directory = settings?.directory
  if (typeof directory !== 'string' || !isAbsolute(directory))
    return { issues: [{ message: 'must be the full path of a folder', path: ['directory'] }] }
  return { value: { directory } }
}

export default {
  type: 'folder',
  config: { '~standard': { version: 1, vendor: 'demo', validate } },

  async check({ directory }) {
    if (!(await stat(directory)).isDirectory()) throw new Error(`${directory} is not a folder`)
  },

  /** Under its final name the file is whole or absent, whatever happens meanwhile. */
  async deliver(file, { directory }, { runId }) {
    const temporary = join(directory, `.${runId}.part`)
    const destinationPath = join(directory, file.name)
    try {
      await copyFile(file.path, temporary)
      await rename(temporary, destinationPath)
    } finally {
      await rm(temporary, { force: true })
    }
    return { destinationPath }
  },
}
