// Reads a password twice from a terminal without showing it, or from another program.
import { StartError, UsageError } from '../kernel/machine/start-error.ts'

/** Characters. */
const MAX_LENGTH = 1000

/** Exit status after Ctrl+C. */
const INTERRUPTED = 130

/** The part of a terminal that is used; `process.stdin` may be one. */
interface Keyboard extends NodeJS.ReadableStream {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
}

/** The first line of `input`, without its end. @throws UsageError where there is no valid line */
export async function readPasswordLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += chunk.toString()
    if (text.length > 4 * MAX_LENGTH) throw new UsageError('The password on standard input is too long')
  }
  const [password = '', ...more] = text.replace(/\r?\n$/, '').split(/\r?\n/)
  if (more.length > 0) throw new UsageError('Standard input must hold the password alone, in one line')
  return password
}

/**
 * Asks twice for a new password without showing it.
 * @throws UsageError without a terminal, StartError where the two differ
 */
export function askForPassword(
  keyboard: Keyboard,
  screen: { write(text: string): unknown },
  isGood: (password: string) => void,
): Promise<string> {
  return asking(keyboard, screen, async (ask) => {
    const password = await ask('New password: ')
    isGood(password)
    if ((await ask('Once more: ')) !== password) throw new StartError('The two passwords are not the same')
    return password
  })
}

/** Asks once for a known password without showing it. @throws UsageError without a terminal */
export function askForKnownPassword(
  keyboard: Keyboard,
  screen: { write(text: string): unknown },
  username: string,
): Promise<string> {
  return asking(keyboard, screen, (ask) => ask(`Password of ${username}: `))
}

async function asking<Result>(
  keyboard: Keyboard,
  screen: { write(text: string): unknown },
  work: (ask: (question: string) => Promise<string>) => Promise<Result>,
): Promise<Result> {
  if (keyboard.isTTY !== true || keyboard.setRawMode === undefined)
    throw new UsageError(
      'There is no terminal to ask for the password: give it on standard input, with --password-stdin',
    )
  keyboard.setRawMode(true)
  const keys = new Keys(keyboard)
  try {
    return await work(async (question) => {
      screen.write(question)
      return keys.readLine().finally(() => screen.write('\n'))
    })
  } finally {
    keyboard.setRawMode(false)
    keys.stop()
  }
}

/** Typed characters, line by line. */
class Keys {
  readonly #keyboard: Keyboard
  readonly #listen: (chunk: Buffer | string) => void
  #waiting = ''
  #onInput: () => void = () => undefined
  #isOver = false

  constructor(keyboard: Keyboard) {
    this.#keyboard = keyboard
    keyboard.setEncoding('utf8')
    this.#listen = (chunk) => {
      // Ignores arrows and function keys.
      if (!chunk.toString().startsWith('\u001b')) this.#waiting += chunk.toString()
      this.#onInput()
    }
    keyboard.on('data', this.#listen)
    keyboard.on('end', () => {
      this.#isOver = true
      this.#onInput()
    })
    keyboard.resume()
  }

  async readLine(): Promise<string> {
    let line: string[] = []
    for (;;) {
      for (const character of this.#waiting) {
        this.#waiting = this.#waiting.slice(character.length)
        if (character === '\r' || character === '\n') return line.join('')
        if (character === '\u0003' || character === '\u0004') throw new Interrupted()
        if (character === '\u007f' || character === '\b') line = line.slice(0, -1)
        else if (character >= ' ' && line.length < MAX_LENGTH) line.push(character)
      }
      if (this.#isOver) throw new Interrupted()
      await new Promise<void>((resolve) => (this.#onInput = resolve))
    }
  }

  stop(): void {
    this.#keyboard.off('data', this.#listen)
    this.#keyboard.pause()
  }
}

class Interrupted extends StartError {
  override readonly name = 'Interrupted'
  override readonly exitCode = INTERRUPTED

  constructor() {
    super('Interrupted: nothing was changed')
  }
}
