// Answers that are sent while their text is made, in parts: other requests come between the parts.
import { setImmediate as othersTurn } from 'node:timers/promises'
import { JsonStream, JsonText, reply, type Reply } from './replies.ts'

/** Characters of a part. */
const PART = 131_072

/** A JSON list between two texts. @param items the JSON of each item, which is made when the item is sent */
export function listReply(
  items: Iterable<string>,
  [begin, end]: readonly [string, string] = ['[', ']'],
): Promise<Reply<JsonText | JsonStream, never>> {
  return streamReply(listTexts(items, begin, end), {})
}

/** The JSON of each item. */
export function jsonOf(items: readonly unknown[]): Iterable<string> {
  return items.values().map((item) => JSON.stringify(item))
}

async function* listTexts(items: Iterable<string>, begin: string, end: string): AsyncGenerator<string, void> {
  let text = begin
  let separator = ''
  for (const item of items) {
    text += separator + item
    separator = ','
    if (text.length < PART) continue
    yield text
    text = ''
    await othersTurn()
  }
  yield text + end
}

/** Characters up to which an answer is sent as one text. */
const ONE_TEXT = 262_144

/** Texts that make up one JSON value. An answer of a short text has a Content-Length. @throws errors before the first text */
export async function streamReply(
  texts: AsyncGenerator<string, void>,
  headers: Readonly<Record<string, string>>,
): Promise<Reply<JsonText | JsonStream, never>> {
  let begin = ''
  while (begin.length <= ONE_TEXT) {
    const next = await texts.next()
    if (next.done === true) return reply(new JsonText(begin), { headers })
    begin += next.value
  }
  return reply(new JsonStream(continueTexts([begin], texts)), { headers })
}

/** Sent text is dropped at once: a slow client must not keep it in memory. */
async function* continueTexts(begin: string[], others: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  try {
    yield begin.pop()!
    yield* others
  } finally {
    await others.return()
  }
}
