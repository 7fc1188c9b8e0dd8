// Where every thread begins but the main one, as that begins in `main.ts`. Without top-level await: the bundle is CommonJS.
import { runThread } from './app/threads.ts'

// A fault ends the thread with its error, as Node does with rejections that nobody handles.
void runThread()
