// Answers that are a list of any length: their text is made in parts, and other requests come between the parts.
import { setImmediate as othersTurn } from 'node:timers/promises'
import { pageSlices } from '../../kernel/turn-slices.ts'
import { type JsonStream, JsonText, reply, type Reply } from './replies.ts'
import type { RequestInfo } from '../route.ts'
import { streamReply } from './stream-replies.ts'

/** Milliseconds of making texts, after which other requests get their turn. */
const TURN = 4

/** Long lists are made one after another. Otherwise each list would take its milliseconds of the same turn. */
let making: Promise<unknown> = Promise.resolve()

/**
 * A JSON list between two texts. The whole text is made before it is sent: so the limit of unsent answers counts it.
 * @param items the JSON of each item, which is made when the list comes to the item
 */
export async function listReply(
  items: Iterable<string>,
  [begin, end]: readonly [string, string] = ['[', ']'],
): Promise<Reply<JsonText, never>> {
  const texts: string[] = []
  const left = items[Symbol.iterator]()
  if (!takeSome(left, texts)) {
    const made = making.then(() => takeRest(left, texts))
    making = made.catch(() => undefined)
    await made
  }
  return reply(new JsonText(begin + texts.join(',') + end), {})
}

async function takeRest(left: Iterator<string>, texts: string[]): Promise<void> {
  do await othersTurn()
  while (!takeSome(left, texts))
}

/** Takes items for some milliseconds. Returns whether no item is left. */
function takeSome(left: Iterator<string>, texts: string[]): boolean {
  const until = performance.now() + TURN
  do {
    const next = left.next()
    if (next.done === true) return true
    texts.push(next.value)
  } while (performance.now() < until)
  return false
}

/** The same at once, for items whose JSON needs no work: many waiting lists would hold more memory than their answers. */
export function listReplyAtOnce(
  items: Iterable<string>,
  [begin, end]: readonly [string, string] = ['[', ']'],
): Reply<JsonText, never> {
  return reply(new JsonText(begin + [...items].join(',') + end), {})
}

/** The JSON of each item. */
export function jsonOf(items: readonly unknown[]): Iterable<string> {
  return items.values().map((item) => JSON.stringify(item))
}

/**
 * A JSON list of pages, of which one is in memory at a time.
 * @param request says when there is room for another part of the answer
 * @throws errors of the pages before the answer begins
 */
export function pagedListReply(
  pages: AsyncGenerator<readonly unknown[], void>,
  request: Pick<RequestInfo, 'whenRoom'>,
): Promise<Reply<JsonText | JsonStream, never>> {
  return streamReply(textsOf(pages, request))
}

async function* textsOf(
  pages: AsyncGenerator<readonly unknown[], void>,
  request: Pick<RequestInfo, 'whenRoom'>,
): AsyncGenerator<string, void> {
  try {
    yield '['
    for (let separator = ''; ; separator = ',') {
      await request.whenRoom()
      const text = await nextText(pages, separator)
      if (text === undefined) break
      yield text
      await pageSlices.take()
    }
    yield ']'
  } finally {
    await pages.return()
  }
}

/** Here, because a suspended generator would keep the page while its text is sent. */
async function nextText(
  pages: AsyncGenerator<readonly unknown[], void>,
  separator: string,
): Promise<string | undefined> {
  for (;;) {
    const next = await pages.next()
    if (next.done === true) return undefined
    if (next.value.length > 0) return separator + [...jsonOf(next.value)].join(',')
  }
}
