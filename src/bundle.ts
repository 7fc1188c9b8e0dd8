// Where the bundle begins: one file, for the main thread and for every other one, which `main.ts` and `thread.ts` are in
// a checkout. CommonJS, so without top-level await.
import { isMainThread } from 'node:worker_threads'
import { runCommandLine } from './cli/command-line.ts'
import { runThread } from './threads.ts'

async function runMain(): Promise<void> {
  process.exit(await runCommandLine(process.argv.slice(2)))
}

if (isMainThread) void runMain()
else runThread()
