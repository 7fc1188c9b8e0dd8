// The start of the executable, in every thread and process. It compiles the program, which is an asset, with V8's cache of an earlier
// compilation, and passes the other assets to it. Nothing here uses the disk.
import { createRequire, isBuiltin } from 'node:module'
import path from 'node:path'
import { getAsset, getAssetKeys, getRawAsset } from 'node:sea'
import { Script } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { brotliDecompressSync } from 'node:zlib'
import type { Executable } from './assets.ts'
import { isPacked, PACKED } from './packed.ts'
import { PICTURE_PROCESS } from './process-roles.ts'

type Program = (
  exports: object,
  require: (name: string) => unknown,
  module: object,
  filename: string,
  dirname: string,
  executable: Executable,
) => void

const assetNames = getAssetKeys().map((name) => (name.endsWith(PACKED) ? name.slice(0, -PACKED.length) : name))
const executable: Executable = {
  assetNames,
  readAsset: (name) =>
    isPacked(name) ? brotliDecompressSync(getRawAsset(name + PACKED)) : Buffer.from(getRawAsset(name)),
  threadCode: getAsset('executable.cjs', 'utf8'),
  importModule: (url) => import(url),
}

const requireFile = createRequire(process.execPath)

/** Node's own modules and files by their full path, as the native binding is: no package that lies about on the machine. */
function requireInside(name: string): unknown {
  if (isBuiltin(name) || path.isAbsolute(name)) return requireFile(name) as unknown
  throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
}

const name = isMainThread && process.argv[2] !== PICTURE_PROCESS ? 'pimlet.cjs' : 'thread.cjs'
const cache = `${name}.cache`
const script = new Script(getAsset(name, 'utf8'), {
  filename: name,
  ...(assetNames.includes(cache) ? { cachedData: executable.readAsset(cache) } : {}),
})
const directory = path.dirname(process.execPath)
const program = script.runInThisContext() as Program
const module = { exports: {} }
program(module.exports, requireInside, module, path.join(directory, name), directory, executable)
