// Words of the home page.
export const homeWords = {
  'home.forYou': 'For you',
  'home.mayMove': '{count} in {state} that you may move on: {transition}',
  'home.nothingForYou': 'Nothing waits for you.',
  'home.complete': 'Complete for {state}',
  'home.cell': '{count} of {total} complete: {scope}',
  'home.lacking': '{count} not complete: {scope}',
  'home.next': 'next {time}',
  'home.paused': 'paused',
  'home.lastChanged': 'Changed last',
  'home.jobs': 'Jobs',
  'home.cut': 'The first {count} of {total} combinations',
  'home.room': '{count} of at most {max} records in the workspace',
  'home.noRecords': 'No record yet',
  'home.noRecordsHelp': 'Add the first record, or import a file of records.',
  'home.importFile': 'Import a file',
} as const
