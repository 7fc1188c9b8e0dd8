// Where the bundle begins: one file, for the main thread and for every other one, which `main.ts` and `thread.ts` are in
// a checkout. Each imports what it needs itself, so that no thread starts with the code of all others. CommonJS, so
// without top-level await.
import { isMainThread } from 'node:worker_threads'

async function runMain(): Promise<void> {
  const { runCommandLine } = await import('./cli/command-line.ts')
  process.exit(await runCommandLine(process.argv.slice(2)))
}

async function runOtherThread(): Promise<void> {
  const { runThread } = await import('./threads.ts')
  await runThread()
}

void (isMainThread ? runMain() : runOtherThread())
