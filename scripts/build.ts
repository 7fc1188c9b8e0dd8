// `npm run build`: builds the bundle for this platform in dist/, and the contract suite for authors of plugins.
// Contract 2 §8.
import path from 'node:path'
import { buildBundle } from './build/bundle.ts'
import { buildPluginContract } from './build/plugin-contract.ts'

const directory = path.resolve(import.meta.dirname, '../dist')
const contract = path.join(directory, 'plugin-contract.mjs')
await buildBundle(directory)
await buildPluginContract(contract)
console.log(`Built ${path.join(directory, 'pimlet.cjs')} and ${contract}`)
