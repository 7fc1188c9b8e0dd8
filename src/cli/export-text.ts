// From records as the API serves them to JSON: each as it is, so that a file that is imported makes the same records again.
// Contract 2 §6, 2 §8.

/** JSON texts of full records, some at a time. */
export type RecordTexts = AsyncIterable<readonly string[]>

export async function* jsonLines(records: RecordTexts): AsyncGenerator<string, void> {
  for await (const some of records) if (some.length > 0) yield `${some.join('\n')}\n`
}

export async function* jsonArray(records: RecordTexts): AsyncGenerator<string, void> {
  let separator = '[\n'
  for await (const some of records) {
    if (some.length === 0) continue
    yield separator + some.join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
