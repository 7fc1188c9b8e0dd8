// Loaded before every test file and into its threads (`npm run test:run`): compiled sources are kept on disk, types
// stripped. Without it half of the tests' time goes into compiling the same files anew, in every process and thread.
import { enableCompileCache } from 'node:module'
import path from 'node:path'

enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/tests'))
