// The answer to a question for completeness: one that may name many missing fields is sent while it is read.
import type { CompletenessResult } from '../../core/records/transitions.ts'
import { JsonStream, reply } from './json.ts'

export function completenessReply({ missing, combinationsJson, ...score }: CompletenessResult) {
  if (!(Symbol.asyncIterator in missing)) return { ...score, missing }
  return reply(new JsonStream(renderScore(score, combinationsJson, missing)), {})
}

async function* renderScore(
  score: object,
  combinationsJson: string | undefined,
  missing: AsyncIterable<string[]>,
): AsyncGenerator<string, void> {
  yield JSON.stringify(score).slice(0, -1)
  if (combinationsJson !== undefined) yield `,"combinations":${combinationsJson}`
  yield ',"missing":['
  for await (const pieces of missing) for (const piece of pieces) yield piece
  yield ']}'
}
