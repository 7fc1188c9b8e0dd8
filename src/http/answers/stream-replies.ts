// JSON that is made part by part. A short one is sent as one text, with a Content-Length. A long one is sent while it is made.
import { JsonStream, JsonText, reply, type Reply } from './replies.ts'

/** Characters up to which an answer is sent as one text. */
const ONE_TEXT = 262_144

/** @throws errors of `texts` before the answer begins */
export async function streamReply(
  texts: AsyncGenerator<string, void>,
  headers: Readonly<Record<string, string>> = {},
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
