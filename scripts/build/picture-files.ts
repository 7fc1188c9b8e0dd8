// The native code for pictures: sharp and libvips, as their packages for a platform have it.
import type { Plugin } from 'esbuild'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')
const NATIVE = /\.(?:node|dylib|dll)$|\.so(?:\.|$)/

/** Names of the packages. `platform`: as sharp names it, for example `linuxmusl-x64`. */
export function picturePackages(platform: string): string[] {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Record<string, unknown>
  }
  const names = [`@img/sharp-${platform}`, `@img/sharp-libvips-${platform}`]
  return names.filter((name) => `node_modules/${name}` in packages)
}

/**
 * Copies the files into `directory`, in folders that let the system find one by the other. Returns their sources from the
 * root, for the licences.
 * @param home the directory that has `node_modules`
 */
export function copyPictureFiles(platform: string, directory: string, home: (name: string) => string): string[] {
  return picturePackages(platform).flatMap((name) => {
    const from = path.join(home(name), 'node_modules', name, 'lib')
    if (!existsSync(from)) throw new Error(`There is no ${name}: npm ci brings it on a machine of its platform`)
    const files = readdirSync(from).filter((file) => NATIVE.test(file))
    for (const file of files) cpSync(path.join(from, file), path.join(directory, path.basename(name), 'lib', file))
    return files.map((file) => path.relative(ROOT, path.join(from, file)).replaceAll(path.sep, '/'))
  })
}

/** The bundle loads these files by a path of its own. */
export const findsPictureFiles: Plugin = {
  name: 'picture-files',
  setup(build) {
    build.onResolve({ filter: /^\.\/sharp\.mjs$/ }, ({ importer }) =>
      /[\\/]sharp[\\/]dist[\\/]/.test(importer)
        ? { path: path.join(import.meta.dirname, 'sharp-binding.ts') }
        : undefined,
    )
  },
}
