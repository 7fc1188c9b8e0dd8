// Builds the contract suite of destinations as one file, for authors of plugins without this repository.
import { build } from 'esbuild'
import path from 'node:path'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Writes an ES module that exports `destinationContract` and only needs Node. */
export async function buildPluginContract(outfile: string): Promise<void> {
  await build({
    entryPoints: [path.join(ROOT, 'test/plugins/contract.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    absWorkingDir: ROOT,
    logLevel: 'warning',
  })
}
