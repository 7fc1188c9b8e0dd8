// A fault that ends a command: its message is the one line that the user sees, never with a stack. Contract 2 §8.

export class StartError extends Error {
  override readonly name: string = 'StartError'
  readonly exitCode: number = 1
}

/** The command was given wrongly. */
export class UsageError extends StartError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2
}
