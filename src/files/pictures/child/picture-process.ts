// The main function of a picture process: it answers one question at a time, and ends with the server.
import { writeFileSync } from 'node:fs'
import { explainFileError, isOfSystem } from '../../../kernel/machine/whole-files.ts'
import { placePictureFiles } from '../../../kernel/executable/native-binding.ts'
import {
  type Answer,
  type FromProcess,
  MAX_MEMORY,
  type Question,
  TOO_MUCH_MEMORY,
  TOO_MUCH_TIME,
  type ToProcess,
} from '../questions.ts'
import { describe, type Library, TooHeavy } from './describing.ts'
import { NotRenderable, render } from './render-picture.ts'

/** Milliseconds between looks at the memory; decoding runs beside the looks. */
const LOOK = 20

/** @param dataDir the executable puts native code there */
export async function runPictureProcess(dataDir: string): Promise<void> {
  if (process.send === undefined) return
  process.on('disconnect', () => process.exit())
  yieldMemoryFirst()
  const { library, fault } = await load(dataDir)
  process.on('message', (question: ToProcess) => {
    const watch = startWatch(question.maxTime)
    void answer(question, library, fault)
      .finally(() => clearInterval(watch))
      .then(tell)
  })
  tell({ kind: 'ready', fault })
}

async function load(dataDir: string): Promise<{ library?: Library; fault?: string }> {
  try {
    placePictureFiles(dataDir)
    return { library: await import('./picture-library.ts') }
  } catch (error) {
    return { fault: (error as Error).message.split('\n', 1)[0]! }
  }
}

/** Ends the process when it takes too much. */
function startWatch(maxTime: number): NodeJS.Timeout {
  const before = process.cpuUsage()
  return setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    if (process.memoryUsage.rss() > MAX_MEMORY) process.exit(TOO_MUCH_MEMORY)
    if (user + system > maxTime * 1000) process.exit(TOO_MUCH_TIME)
  }, LOOK)
}

/** Linux ends this process, not the server, when the machine is short of memory. */
function yieldMemoryFirst(): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Then the kernel decides.
  }
}

async function answer(question: Question, library: Library | undefined, fault: string | undefined): Promise<Answer> {
  try {
    const { path, granted } = question
    if (question.kind === 'describe') {
      const description = await describe(path, question.isTypeOnly ? undefined : library, granted)
      return { kind: 'described', description }
    }
    if (library === undefined) return { kind: 'failed', message: `This machine cannot render pictures: ${fault}` }
    return { kind: 'rendered', rendered: await render(question, library) }
  } catch (error) {
    if (error instanceof TooHeavy) return { kind: 'heavy', bytes: error.bytes }
    if (error instanceof NotRenderable) return { kind: 'notRenderable', why: error.message }
    return { kind: 'failed', message: isOfSystem(error) ? explainFileError(error) : String(error) }
  }
}

function tell(message: FromProcess): void {
  process.send!(message)
}
