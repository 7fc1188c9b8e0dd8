// Keeps what the places of the console share in one file. Left alone, esbuild makes a file of every set of modules that the same
// places use: a dozen small ones, each of them a request before the first screen.
import type { Plugin } from 'esbuild'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The namespace of what is made here, and stands in no file. */
export const SHARED = 'shared'
const NAME = 'console:shared'
/** All of these; a place that uses some of them would load most of them anyway. */
const FOLDERS = ['api', 'kit', 'state', 'words/en']
/** What the places use of the domain. */
const DOMAIN = ['datatypes/data-types.ts', 'records/completeness.ts', 'records/record-label.ts', 'scopes/in-force.ts']

/** Every place imports all that is shared, and so all of it is in the same file. */
export function sharedChunk(root: string): Plugin {
  return {
    name: 'shared-chunk',
    setup(build) {
      const places = new Set<string>([path.join(root, 'console/main.tsx')])
      build.onResolve({ filter: /\.tsx$/ }, ({ kind, path: name, resolveDir }) => {
        if (kind === 'dynamic-import') places.add(path.resolve(resolveDir, name))
        return undefined
      })
      build.onResolve({ filter: new RegExp(`^${NAME}$`) }, () => ({ path: NAME, namespace: SHARED, sideEffects: true }))
      build.onLoad({ filter: /.*/, namespace: SHARED }, () => ({ contents: importsOf(root), resolveDir: root }))
      build.onLoad({ filter: /console[\\/].*\.tsx$/ }, ({ path: file }) => {
        if (!places.has(file)) return undefined
        return { contents: `import '${NAME}';${readFileSync(file, 'utf8')}`, loader: 'tsx' }
      })
    },
  }
}

function importsOf(root: string): string {
  const shared = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, 'console', folder))
      .filter((name) => /\.tsx?$/.test(name) && name !== 'types.ts')
      .map((name) => `console/${folder}/${name}`),
  )
  const files = [...shared, ...DOMAIN.map((name) => `src/domain/${name}`)]
  return files.map((file) => `import './${file}'`).join('\n')
}
