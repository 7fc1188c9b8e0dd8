// Writes the feed entry of an account change, in the transaction of the change. Contract 3 §3.1.
import { type AccountChange, defineAccountEntry, defineLogoutEntry } from '../feed/rules/account-entry.ts'
import type { Transaction } from '../../store/port.ts'
import type { System } from '../../kernel/machine/system.ts'

type Writing = Pick<Transaction, 'feed'>
type Numbering = Pick<System, 'now' | 'newId'>

/** Writes an entry, unless nothing has changed. */
export function noteAccountChange(
  tx: Writing,
  system: Numbering,
  user: { readonly id: string },
  change: AccountChange,
): void {
  const entry = defineAccountEntry(headOf(system, user.id), change)
  if (entry !== undefined) tx.feed.append({ kind: 'account', timestamp: entry.timestamp, entry })
}

export function noteLogout(tx: Writing, system: Numbering, userId: string): void {
  const entry = defineLogoutEntry(headOf(system, userId))
  tx.feed.append({ kind: 'account', timestamp: entry.timestamp, entry })
}

function headOf(system: Numbering, userId: string) {
  return { id: system.newId('aud'), userId, timestamp: system.now().toISOString() }
}
