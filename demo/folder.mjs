// A custom destination: puts an export into a folder of this machine. It needs only this file in the plugins directory,
// and imports nothing of pimlet. plugins/README.md describes the interface of destinations.
import { copyFile, rename, rm, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'

/** Called when a job is saved: faulty settings are reported then, and not during a run at night. */
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

  /** The rename makes the file appear whole or not at all, even after a crash. */
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
