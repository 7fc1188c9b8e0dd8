// Where every thread begins but the main one, as that begins in `main.ts`. (The bundle has one beginning: `bundle.ts`.)
import { runThread } from './threads.ts'

await runThread()
