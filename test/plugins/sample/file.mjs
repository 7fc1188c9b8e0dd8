// A destination from outside: writes the export into a directory of this machine. It imports nothing of pimlet, so it can
// lie in any plugins directory as it is. The types are those of src/kernel/destination.ts.
import { createHash, randomUUID } from 'node:crypto'
import { open, rename, stat, unlink } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'

/** @typedef {{ directory: string }} Config */
/** @typedef {import('../../../src/kernel/destination.ts').RunContext} RunContext */
/** @typedef {import('../../../src/kernel/destination.ts').SeveralContext} SeveralContext */
/** @typedef {import('../../../src/kernel/destination.ts').ExportFile} ExportFile */

/** @param {unknown} value */
function validate(value) {
  const directory = /** @type {{ directory?: unknown } | null} */ (value)?.directory
  if (typeof directory !== 'string' || !isAbsolute(directory) || directory.includes('\0')) {
    return { issues: [{ message: 'must be an absolute path', path: ['directory'] }] }
  }
  return { value: { directory } }
}

/** @param {unknown} error @param {string} directory */
function translate(error, directory) {
  const code = /** @type {{ code?: string }} */ (error).code
  const permanent = code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
  // `permanent` is all that pimlet looks at: such a fault is not tried again.
  return permanent ? Object.assign(new Error(`${directory}: ${code}`, { cause: error }), { permanent }) : error
}

/** @param {string} path */
async function syncDirectory(path) {
  if (process.platform === 'win32') return
  const directory = await open(path)
  await directory.sync().finally(() => directory.close())
}

/** @param {string} temporary @param {RunContext} context */
async function remove(temporary, context) {
  await unlink(temporary).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
  await context.leftovers.forget(temporary)
}

/** @param {string} directory @param {RunContext} context */
async function noteTemporary(directory, context) {
  const temporary = join(directory, `.pimlet-${context.runId}-${randomUUID()}.part`)
  await context.leftovers.note(temporary)
  return temporary
}

/** @param {ExportFile} file @param {string} temporary @param {AbortSignal} signal */
async function write(file, temporary, signal) {
  const handle = await open(temporary, 'wx', 0o644)
  const digest = createHash('sha256')
  try {
    for await (const chunk of file.open()) {
      signal.throwIfAborted()
      digest.update(chunk)
      await handle.writeFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  const { size } = await stat(temporary)
  if (size !== file.size || digest.digest('hex') !== file.sha256) throw new Error('the written file is not the export')
}

/** @param {ExportFile} file @param {Config} config @param {RunContext} context */
async function deliver(file, { directory }, context) {
  context.signal.throwIfAborted()
  const temporary = await noteTemporary(directory, context)
  const path = join(directory, file.name)
  try {
    await write(file, temporary, context.signal)
    await rename(temporary, path)
    await syncDirectory(directory)
    await context.leftovers.forget(temporary)
  } catch (error) {
    await remove(temporary, context).catch((fault) => context.log(`${temporary} stays for now: ${fault.message}`))
    throw translate(error, directory)
  }
  return { destinationPath: path }
}

export default {
  type: 'file',
  config: { '~standard': { version: 1, vendor: 'example', validate } },

  /** @param {Config} config @param {RunContext} context */
  async check({ directory }, context) {
    const temporary = await noteTemporary(directory, context)
    try {
      await (await open(temporary, 'wx')).close()
    } catch (error) {
      throw translate(error, directory)
    } finally {
      await remove(temporary, context).catch(() => undefined)
    }
  },

  deliver,

  /** @param {AsyncIterable<ExportFile>} files @param {Config} config @param {SeveralContext} context */
  async deliverAll(files, config, context) {
    for await (const file of files) {
      await deliver(file, config, context)
      await context.delivered(file)
    }
  },

  /** @param {Config} _config @param {RunContext} context */
  async sweep(_config, context) {
    for (const path of await context.leftovers.list()) {
      if (basename(path).startsWith('.pimlet-')) await remove(path, context)
    }
  },
}
