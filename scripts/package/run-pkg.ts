// One run of pkg, as a process of its own: it changes its working directory, and keeps its downloads below the home
// directory, which the caller sets. Home of @yao-pkg/pkg.
//
// pkg's `--sea` with a package.json puts a virtual file system under the program, and patches fs, child_process and Intl
// for that. Without a package.json it takes neither assets nor a code cache from its command line. So its function is
// called.
import seaModule, { type SeaConfig } from '@yao-pkg/pkg/lib-es5/sea.js'
import { NODE_FLAGS } from '../build/node-flags.ts'
import type { Target } from './targets.ts'

export interface PkgRun {
  /** CommonJS; may `require` nothing but Node's own modules. */
  readonly entry: string
  /** Paths of files by their names in `node:sea`. */
  readonly assets: Readonly<Record<string, string>>
  readonly target: Target
  readonly nodeVersion: string
  readonly output: string
}

const { entry, assets, target, nodeVersion, output } = JSON.parse(process.argv[2]!) as PkgRun
const { platform, arch } = target
// pkg passes on members that it does not know.
const seaConfig: SeaConfig & { execArgv: readonly string[] } = {
  assets,
  execArgv: NODE_FLAGS,
  disableExperimentalSEAWarning: true,
  useSnapshot: false,
  useCodeCache: false,
}
await seaModule.default(entry, {
  targets: [{ platform, arch, nodeRange: `node${nodeVersion}`, output }],
  // Where npm has no Node, the Node that runs this script is used.
  useLocalNode: target.nodePackage === undefined,
  signature: true,
  seaConfig,
})
