// `npm run build`: the bundle in dist/, for this platform. Decisions §8.
import path from 'node:path'
import { buildBundle } from './build/bundle.ts'

const directory = path.resolve(import.meta.dirname, '../dist')
await buildBundle(directory)
console.log(`Built ${path.join(directory, 'pimlet.cjs')}`)
