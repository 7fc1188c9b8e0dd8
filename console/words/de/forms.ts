// Wörter mehrerer Formulare.
export const formWords = {
  'form.outdated':
    'Jemand hat das geändert, seit Sie begonnen haben. Speichern ersetzt diese Änderung, Verwerfen zeigt sie.',
  'form.later': 'Später weiter',
  'form.up': '{name} nach oben',
  'form.down': '{name} nach unten',
  'form.id': 'ID',
  'form.idHelp': 'Buchstaben, Ziffern, - und _. Sie bleibt, wie sie ist.',
  'form.first': 'Es ist das erste',
  'form.last': 'Es ist das letzte',
  'form.taken': 'Gibt es schon',
  'form.nameFirst': 'Es braucht einen Namen',
  'form.attribute': 'Attribut',
  'form.nothingChanged': 'Nichts ist geändert',
  'form.deleteTitle': '{name} löschen?',
  'form.deleteHelp': 'Der Server lehnt es ab, wo etwas es verwendet.',
  addRecord: 'Datensatz anlegen',
}
