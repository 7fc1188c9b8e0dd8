// Loaded before every test file (`npm run test:run`), and told to its threads and to the processes that tests start:
// compiled sources are kept on disk, types stripped. Without it half of the tests' time goes into compiling the same
// files anew, in every process and thread.
import { enableCompileCache } from 'node:module'
import path from 'node:path'

const DIRECTORY = path.join(import.meta.dirname, '../../node_modules/.cache/tests')

enableCompileCache(DIRECTORY)
process.env['NODE_COMPILE_CACHE'] = DIRECTORY
