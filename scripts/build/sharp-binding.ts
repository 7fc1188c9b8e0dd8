// Replaces sharp's search for its native code in the bundle, where no package is: the code is a file beside the bundle, or
// one that the executable has put into the data directory.
import { pictureBinding } from '../../src/kernel/executable/assets.ts'

const IS_NEW_ENOUGH = '_isUsingX64V2'
type Binding = Partial<Record<typeof IS_NEW_ENOUGH, () => boolean>>

const loaded: { exports: Binding } = { exports: {} }
process.dlopen(loaded, pictureBinding())
if (process.arch === 'x64' && loaded.exports[IS_NEW_ENOUGH]?.() === false)
  throw new Error('the processor is older than x86-64-v2')

export default loaded.exports
