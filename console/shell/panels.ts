// The panels that places open beside their content, and the files that contain them.
import type { Panels } from '../state/panels.ts'
import { loadPlaceWords } from '../words/words.ts'

export const PANELS: Panels = {
  bulk: async () => (await import('../bulk/panel.tsx')).BulkPanel,
  criteria: async () => (await import('../records/criteria-field.tsx')).CriteriaField,
  dropped: async () => (await import('../pictures/dropped-files.tsx')).DroppedFiles,
  keys: async () => {
    await loadPlaceWords()
    return (await import('../help/key-help.tsx')).KeyHelp
  },
  gallery: async () => (await import('../pictures/gallery.tsx')).Gallery,
  sheets: async () => (await import('../sheets/share-panel.tsx')).SharePanel,
  record: async () => (await import('../record/record-panel.tsx')).RecordPanel,
}
