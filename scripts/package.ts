// `npm run package [-- --targets linux-x64,linux-arm64,win-x64]`: makes executables in dist/, by default for this
// machine. Contract 2 §8.
import { statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makeRelease } from './package/release.ts'
import { findTarget, hostTarget } from './package/targets.ts'

const { values } = parseArgs({ options: { targets: { type: 'string' } } })
const targets = values.targets?.split(',').map(findTarget) ?? [hostTarget()]
await makeRelease(targets, (file) => console.log(`Made ${file} (${(statSync(file).size / 1e6).toFixed(1)} MB)`))
