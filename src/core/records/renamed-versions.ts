// A version has values under the aliases of its time. A restore writes them to the attributes that were renamed since.
// Contract 3 §3.
import { pageSlices } from '../../kernel/turn-slices.ts'
import type { Store } from '../../store/port.ts'
import { renamingIn } from '../model/rules/attribute-renaming.ts'
import type { RecordVersion } from './versions.ts'

/** Entries about the model that are read at once. */
const AT_ONCE = 200
const MODEL = new Set(['model'] as const)

/** Alias in a version → present alias, for each alias that the schema no longer has. */
export type FormerAliases = ReadonlyMap<string, string>

/** Reads the entries about the model since the version, if the schema lacks an alias of the version. */
export async function findFormerAliases(
  { read }: Store,
  { version, record: { schemaId, values } }: RecordVersion,
  signal: AbortSignal,
): Promise<FormerAliases> {
  const schema = (await read.model()).schemas.get(schemaId)
  const isGone = (alias: string): boolean => schema?.attribute(alias) === undefined
  const aliases = new Map(Object.keys(values).flatMap((alias) => (isGone(alias) ? [[alias, alias]] : [])))
  let last = version
  while (schema !== undefined && aliases.size > 0 && !signal.aborted) {
    const entries = await read.feed.listAfter(last, MODEL, AT_ONCE)
    if (entries.length === 0) break
    last = entries.at(-1)!.sequence
    const renamings = entries.flatMap((item) => (item.kind === 'model' ? renamingIn(item.entry, schemaId) : []))
    for (const { from, to } of renamings)
      for (const [alias, known] of aliases) if (known === from) aliases.set(alias, to)
    await pageSlices.take()
  }
  // A part of the entries may name an alias that another attribute has now.
  if (signal.aborted) return new Map()
  return new Map([...aliases].filter(([, alias]) => !isGone(alias)))
}
