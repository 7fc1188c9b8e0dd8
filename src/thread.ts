// Where every thread begins but the main one, as that begins in `main.ts`.
import { runThread } from './threads.ts'

runThread()
