// Works on several items at a time, and gives the results in the order of the items.

/** Waits for all work under way before it ends, also after a failure. Throws the errors of `items` and `work`. */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const underWay: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // The failure is caught here, because nobody may await the result yet.
      result.catch(() => undefined)
      underWay.push(result)
      if (underWay.length >= atOnce) yield await underWay.shift()!
    }
    while (underWay.length > 0) yield await underWay.shift()!
  } finally {
    await Promise.allSettled(underWay)
  }
}
