// Keeps compiled sources, with types stripped, on disk. Loaded before every test file (`npm run test:run`), and passed
// on to its threads and to processes that tests start. Without this, half of the tests' time goes into compiling the
// same files in every process and thread.
import { enableCompileCache, flushCompileCache } from 'node:module'
import path from 'node:path'

const DIRECTORY = path.join(import.meta.dirname, '../../node_modules/.cache/tests')

enableCompileCache(DIRECTORY)
process.env['NODE_COMPILE_CACHE'] = DIRECTORY
// Node would write what it compiled at the end of the process: too late for processes that begin meanwhile.
setInterval(flushCompileCache, 5000).unref()
