// Words of what happened last.
export const activityWords = {
  'activity.records': 'Changed',
  'activity.jobs': 'Jobs',
  'activity.deleted': 'Deleted',
  'activity.nothing': 'No record yet',
  'activity.noneDeleted': 'No record that could come back',
  'activity.noneDeletedHelp': 'Records are listed here as long as the history has their deletion.',
  'activity.restored': '{id} is back',
  'activity.noJobs': 'No job yet',
  'activity.noJobsHelp': 'Select records in the sheet and change them together.',
} as const
