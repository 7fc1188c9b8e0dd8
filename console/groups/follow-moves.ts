// Moves rows with another value of the grouped column to their group when the cursor leaves them; the cursor stays at
// its record.
import { effect, untracked } from '@preact/signals'
import type { MovesHost } from '../grid/groups.ts'

export function followMoves<Row>({ groups, sheet, revision, idOf }: MovesHost<Row>): () => void {
  let followed: { readonly id: string; readonly row: number } | undefined
  /** Follows the record of the cursor, which may have another row now. */
  const follow = (row: number): void => {
    const { id, row: before } = followed!
    if (!groups.isCurrent || groups.isReading) return
    followed = undefined
    const [to] = [...groups.entries()].find(([, one]) => idOf(one) === id) ?? []
    if (row === before && to !== undefined && to !== row) sheet.goTo({ row: to, column: sheet.cursor.peek().column })
  }
  return effect(() => {
    const { row } = sheet.cursor.value
    void revision.value
    const isEditing = sheet.editing.value !== null
    untracked(() => {
      if (followed !== undefined) follow(row)
      const moving = groups.moving()
      if (isEditing || moving.length === 0 || moving.includes(row)) return
      const at = groups.row(row)
      followed = at && { id: idOf(at), row }
      groups.renew()
    })
  })
}
