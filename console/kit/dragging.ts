// Drags rows of a list: a dropped row takes the place of the row below it.
import { useState } from 'preact/hooks'

export function useDragging<Key extends string | number>(onDrop: (dragged: Key, target: Key) => void) {
  const [dragged, setDragged] = useState<Key | undefined>(undefined)
  const [over, setOver] = useState<Key | undefined>(undefined)
  const end = () => {
    setDragged(undefined)
    setOver(undefined)
  }
  return {
    over,
    /** For the element that the user drags. */
    handle: (key: Key, text: string) => ({
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer?.setData('text/plain', text)
        setDragged(key)
      },
      onDragEnd: end,
    }),
    /** For the row. */
    target: (key: Key) => ({
      onDragOver: (event: DragEvent) => {
        if (dragged === undefined) return
        event.preventDefault()
        setOver(key)
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        if (dragged !== undefined) onDrop(dragged, key)
        end()
      },
    }),
  }
}
