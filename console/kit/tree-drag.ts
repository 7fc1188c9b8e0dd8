// Drags a row of a tree before, into or behind another row. Invalid targets show no drop mark.
import { useState } from 'preact/hooks'

type TreeZone = 'before' | 'into' | 'behind'

export interface TreeDrop {
  readonly mayDrop: (id: string, target: string, zone: TreeZone) => boolean
  readonly onDrop: (id: string, target: string, zone: TreeZone) => void
}

/** Handlers for each row, and the drop position. */
export function useTreeDrag(drop: TreeDrop | undefined) {
  const [dragged, setDragged] = useState<string | undefined>(undefined)
  const [over, setOver] = useState<{ readonly id: string; readonly zone: TreeZone } | undefined>(undefined)
  const end = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  if (drop === undefined) return () => ({})
  return (id: string) => ({
    draggable: true,
    'data-drop': over?.id === id ? over.zone : undefined,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer?.setData('text/plain', id)
      setDragged(id)
    },
    onDragOver: (event: DragEvent) => {
      const zone = zoneOf(event)
      const isOpen = dragged !== undefined && drop.mayDrop(dragged, id, zone)
      if (isOpen) event.preventDefault()
      const next = isOpen ? { id, zone } : undefined
      if (next?.id !== over?.id || next?.zone !== over?.zone) setOver(next)
    },
    onDragEnd: end,
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      const zone = zoneOf(event)
      if (dragged !== undefined && drop.mayDrop(dragged, id, zone)) drop.onDrop(dragged, id, zone)
      end()
    },
  })
}

function zoneOf(event: DragEvent): TreeZone {
  const { top, height } = (event.currentTarget as Element).getBoundingClientRect()
  const at = (event.clientY - top) / height
  if (at < 0.25) return 'before'
  return at > 0.75 ? 'behind' : 'into'
}
