// The feed entry of a model change. Contract 3 §3.
import { defineModelEntry, type ModelChangeNote } from '../feed/rules/model-entry.ts'
import type { Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'

/** Nothing is written where nothing has changed. */
export function noteModelChange(
  tx: Pick<Transaction, 'feed'>,
  system: Pick<System, 'now' | 'newId'>,
  user: { readonly id: string },
  note: ModelChangeNote,
): void {
  const timestamp = system.now().toISOString()
  const entry = defineModelEntry({ id: system.newId('aud'), userId: user.id, timestamp }, note)
  if (entry !== undefined) tx.feed.append({ kind: 'model', timestamp, entry })
}
