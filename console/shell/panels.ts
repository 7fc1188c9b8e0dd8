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
  groups: async () => (await import('../groups/group-head.tsx')).groupTools,
  find: async () => (await import('../sheet-tools/find-bar.tsx')).FindBar,
  groupBy: async () => (await import('../groups/group-panel.tsx')).GroupPanel,
  cellText: async () => (await import('../record/cell-text.tsx')).CellText,
  cellHistory: async () => (await import('../record/cell-history.tsx')).CellHistory,
  cellComments: async () => (await import('../talk/cell-comments.tsx')).CellComments,
  threads: async () => (await import('../talk/open-threads.tsx')).followThreads,
  deleteRecords: async () => (await import('../bulk/delete-records.tsx')).DeleteRecords,
  columns: async () => (await import('../sheet-tools/column-list.tsx')).ColumnList,
  views: async () => (await import('../sheet-tools/views-panel.tsx')).ViewsPanel,
  newRecord: async () => (await import('../record/new-record.tsx')).NewRecordForm,
  gallery: async () => (await import('../pictures/gallery.tsx')).Gallery,
  noticeSettings: async () => (await import('../talk/notice-settings.tsx')).NoticeSettings,
  welcome: async () => {
    await loadPlaceWords()
    return (await import('../imports/welcome.tsx')).Welcome
  },
  presence: async () => (await import('../talk/presence.tsx')).PresencePanel,
  sheets: async () => (await import('../sheets/share-panel.tsx')).SharePanel,
  record: async () => (await import('../record/record-panel.tsx')).RecordPanel,
}
