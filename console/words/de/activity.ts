// Words of what happened last.
export const activityWords = {
  'activity.records': 'Geändert',
  'activity.jobs': 'Aufträge',
  'activity.deleted': 'Gelöscht',
  'activity.nothing': 'Noch kein Datensatz',
  'activity.noneDeleted': 'Kein Datensatz, der zurückkommen könnte',
  'activity.noneDeletedHelp': 'Hier stehen gelöschte Datensätze, solange der Verlauf ihre Löschung kennt.',
  'activity.restored': '{id} ist wieder da',
  'activity.noJobs': 'Noch kein Auftrag',
  'activity.noJobsHelp': 'Wählen Sie im Blatt Datensätze aus und ändern Sie sie zusammen.',
} as const
