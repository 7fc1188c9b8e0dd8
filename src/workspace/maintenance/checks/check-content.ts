// Compares the bytes of files with the workspace's facts about them: missing, damaged and orphaned bytes. Contract 4 §5.
import type { ContentStore } from '../../../files/content/content-store.ts'
import type { KnownFile } from '../../../files/content/copying.ts'
import type { Awaitable, WorkspaceInspection } from '../../../store/maintenance-port.ts'
import { type CheckResult, Findings, result } from '../check.ts'
import { PimletError } from '../../../kernel/errors.ts'

/** The part of the store of bytes that the check needs. */
export interface CheckedContent {
  readonly store: Pick<ContentStore, 'place' | 'list'>
  readonly findFault: (file: KnownFile) => Promise<'missing' | 'damaged' | undefined>
}

/** Files of one question. */
const AT_ONCE = 1000

/** @param reopen a fresh look: files come and go while their bytes are read */
export async function checkContent(
  workspace: WorkspaceInspection,
  content: CheckedContent,
  reopen: () => Awaitable<WorkspaceInspection>,
): Promise<CheckResult> {
  const { store } = content
  try {
    const faults = new Map<string, string>()
    let count = 0
    for await (const file of knownFiles(workspace)) {
      count += 1
      const fault = await content.findFault(file)
      if (fault !== undefined) faults.set(file.sha256, fault)
    }
    const strangers = await Array.fromAsync(orphansOf(workspace, store.list()))
    const known = await knownNow(reopen, [...faults.keys(), ...strangers])
    const [lost, orphaned] = [new Findings(), new Findings()]
    for (const [sha256, fault] of faults) if (known.has(sha256)) lost.add(`${sha256} is ${fault}`)
    for (const sha256 of strangers) if (!known.has(sha256)) orphaned.add(`${sha256} belongs to no file`)
    const found = `${lost.count} of ${count} files are missing or damaged in ${store.place}`
    if (lost.count > 0) return lost.asResult('content', '', found)
    return orphaned.asResult(
      'content',
      `The bytes of ${count} files are those of their hashes`,
      `${orphaned.count} files in ${store.place} are not known: they may be removed`,
      'warning',
    )
  } catch (error) {
    if (error instanceof PimletError) return result('content', 'problem', error.message)
    throw error
  }
}

async function knownNow(
  reopen: () => Awaitable<WorkspaceInspection>,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  if (hashes.length === 0) return known
  const fresh = await reopen()
  try {
    for (let at = 0; at < hashes.length; at += AT_ONCE)
      for (const sha256 of await fresh.knownHashes(hashes.slice(at, at + AT_ONCE))) known.add(sha256)
    return known
  } finally {
    await fresh.close()
  }
}

/** The files whose bytes must be there, in the order of their hashes. */
export async function* knownFiles(workspace: Pick<WorkspaceInspection, 'listFiles'>): AsyncGenerator<KnownFile> {
  let after = ''
  for (;;) {
    const files = await workspace.listFiles(after, AT_ONCE)
    yield* files
    if (files.length < AT_ONCE) return
    after = files.at(-1)!.sha256
  }
}

async function* orphansOf(workspace: WorkspaceInspection, hashes: AsyncIterable<string>): AsyncGenerator<string> {
  let asked: string[] = []
  const judge = async function* () {
    const known = await workspace.knownHashes(asked)
    yield* asked.filter((sha256) => !known.has(sha256))
    asked = []
  }
  for await (const sha256 of hashes) {
    asked.push(sha256)
    if (asked.length === AT_ONCE) yield* judge()
  }
  yield* judge()
}
