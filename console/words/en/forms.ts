// Words that several forms have.
export const formWords = {
  'form.outdated': 'Somebody has changed this since you began. Saving replaces what they did; discard shows it.',
  'form.later': 'Leave it for later',
  'form.up': 'Move {name} up',
  'form.down': 'Move {name} down',
  'form.id': 'ID',
  'form.idHelp': 'Letters, digits, - and _. It stays as it is.',
  'form.first': 'It is the first',
  'form.last': 'It is the last',
  'form.taken': 'There is one already',
  'form.nameFirst': 'It needs a name',
  'form.attribute': 'Attribute',
  'form.nothingChanged': 'Nothing is changed',
  'form.deleteTitle': 'Delete {name}?',
  'form.deleteHelp': 'The server refuses it where something uses it.',
  addRecord: 'Add a record',
} as const
