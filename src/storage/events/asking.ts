// Work that asks its storage, in turns: whoever runs it gives the answers, at once or when they have come. A turn without a question is
// a moment for others.
export type Question = (() => unknown) | undefined

export type Asking<Result> = Generator<Question, Result, unknown>

export function* ask<Answer>(question: () => Answer | Promise<Answer>): Asking<Answer> {
  return (yield question) as Answer
}
