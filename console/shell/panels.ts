// The panels that places open beside their content, and the files that contain them.
import type { Panels } from '../state/panels.ts'
import { loadPlaceWords } from '../words/words.ts'

export const PANELS: Panels = {
  assign: async () => (await import('../talk/assign-dialog.tsx')).AssignDialog,
  bulk: async () => (await import('../bulk/panel.tsx')).BulkPanel,
  charts: async () => (await import('../charts/charts.tsx')).Charts,
  comments: async () => (await import('../talk/comments-panel.tsx')).CommentsPanel,
  criteria: async () => (await import('../records/criteria-field.tsx')).CriteriaField,
  dropped: async () => (await import('../pictures/dropped-files.tsx')).DroppedFiles,
  keys: async () => {
    await loadPlaceWords()
    return (await import('../help/key-help.tsx')).KeyHelp
  },
  gallery: async () => (await import('../pictures/gallery.tsx')).Gallery,
  noticeSettings: async () => (await import('../talk/notice-settings.tsx')).NoticeSettings,
  welcome: async () => {
    await loadPlaceWords()
    return (await import('../imports/welcome.tsx')).Welcome
  },
  sheets: async () => (await import('../sheets/share-panel.tsx')).SharePanel,
  record: async () => (await import('../record/record-panel.tsx')).RecordPanel,
}
