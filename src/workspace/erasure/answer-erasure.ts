// Kept answers lose what they say of a record whose history is erased: who asks again is told that the request was done. Contract 3 §3.
import type { KeptAnswer } from '../../store/answer-port.ts'
import type { Store, Transaction } from '../../store/port.ts'
import type { AnswerSeal } from '../../core/requests/answer-seal.ts'
import type { KeptContent } from '../../core/requests/idempotent-requests.ts'

/** Answers that are opened together: each has 64 KiB at most. */
const AT_ONCE = 20

/** @param assertGoing called before each step: may throw to stop */
export async function eraseAnswers(
  { store, seal }: { readonly store: Store; readonly seal: Pick<AnswerSeal, 'seal' | 'open'> },
  recordId: string,
  assertGoing: () => void,
): Promise<void> {
  let last: KeptAnswer | undefined
  for (;;) {
    assertGoing()
    const answers = await store.read.keptAnswers.listAfter(last, AT_ONCE)
    const told = answers.filter(({ id, content }) => mayTellOf(recordId, seal.open(id, content) as KeptContent))
    if (told.length > 0) await store.transaction((tx) => replaceAll(tx, told, seal))
    last = answers.at(-1)
    if (answers.length < AT_ONCE) return
  }
}

async function replaceAll(
  { keptAnswers }: Transaction,
  told: readonly KeptAnswer[],
  seal: Pick<AnswerSeal, 'seal' | 'open'>,
): Promise<void> {
  for (const { id } of told) {
    const answer = await keptAnswers.get(id)
    if (answer === undefined) continue
    const { status } = seal.open(id, answer.content) as KeptContent
    await keptAnswers.delete(id)
    // What was refused may be asked again.
    if (status >= 300) continue
    const erased: KeptContent = { status, text: undefined, headers: [], isErased: true }
    await keptAnswers.insert({ ...answer, content: seal.seal(id, erased) })
  }
}

/** What a write answers names the records that it tells of. What is only read need not: values alone, or a file. */
function mayTellOf(recordId: string, { text = '', headers, isOfWrite, isErased }: KeptContent): boolean {
  if (isErased === true) return false
  const names = [`"${recordId}"`, `'${recordId}'`]
  return (
    isOfWrite !== true || names.some((name) => text.includes(name)) || headers.some((value) => value.includes(recordId))
  )
}
