// Words of the home page.
export const homeWords = {
  'home.forYou': 'Für Sie',
  'home.mayMove': '{count} in {state}, für Sie offen: {transition}',
  'home.nothingForYou': 'Nichts wartet auf Sie.',
  'home.complete': 'Vollständig für {state}',
  'home.cell': '{count} von {total} vollständig: {scope}',
  'home.lacking': '{count} unvollständig: {scope}',
  'home.next': 'nächster {time}',
  'home.paused': 'pausiert',
  'home.lastChanged': 'Zuletzt geändert',
  'home.jobs': 'Aufträge',
  'home.cut': 'Die ersten {count} von {total} Kombinationen',
  'home.room': '{count} von höchstens {max} Datensätzen im Arbeitsbereich',
  'home.noRecords': 'Noch kein Datensatz',
  'home.noRecordsHelp': 'Legen Sie den ersten Datensatz an, oder importieren Sie eine Datei.',
  'home.importFile': 'Datei importieren',
}
