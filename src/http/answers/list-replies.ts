// Answers that are a list of any length: their text is made in parts, and other requests come between the parts.
import { setImmediate as othersTurn } from 'node:timers/promises'
import { JsonText, reply, type Reply } from './replies.ts'

/** Milliseconds of making a text, after which other requests get their turn. */
const TURN = 4

/**
 * A JSON list between two texts. The whole text is made before it is sent: so the limit of unsent answers counts it.
 * @param items the JSON of each item, which is made when the list comes to the item
 */
export async function listReply(
  items: Iterable<string>,
  [begin, end]: readonly [string, string] = ['[', ']'],
): Promise<Reply<JsonText, never>> {
  const texts: string[] = []
  let since = performance.now()
  for (const item of items) {
    texts.push(item)
    if (performance.now() - since < TURN) continue
    await othersTurn()
    since = performance.now()
  }
  return reply(new JsonText(begin + texts.join(',') + end), {})
}

/** The JSON of each item. */
export function jsonOf(items: readonly unknown[]): Iterable<string> {
  return items.values().map((item) => JSON.stringify(item))
}
