// Files that the user chooses, drops or pastes.
import { useState } from 'preact/hooks'

export function useFileTaking(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  const take = (list: FileList | null | undefined): boolean => {
    const files = [...(list ?? [])]
    if (files.length > 0) onFiles(files)
    return files.length > 0
  }
  /** For the input. */
  const onTake = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    take(currentTarget.files)
    // The input is emptied, so that choosing the same file again is also a change.
    currentTarget.value = ''
  }
  /** For the area around the input. */
  const dropping = {
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (take(event.dataTransfer?.files)) event.preventDefault()
    },
    // Pasted text stays text.
    onPaste: (event: ClipboardEvent) => {
      if (take(event.clipboardData?.files)) event.preventDefault()
    },
  }
  return { isOver, onTake, dropping }
}

/** Elements of the page can be dragged, too. */
export function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}
