// Words of the account.
export const accountWords = {
  'account.you': 'Sie',
  'account.role': 'Rolle {role}',
  'account.current': 'Jetziges Passwort',
  'account.again': 'Neues Passwort noch einmal',
  'account.differs': 'Das ist nicht dasselbe wie oben.',
  'account.short': 'Mindestens {count} Zeichen.',
  'account.wrong': 'Das ist nicht Ihr jetziges Passwort.',
  'account.changePassword': 'Passwort ändern',
  'account.passwordChanged': 'Passwort geändert. Wo Sie sonst angemeldet waren, sind Sie abgemeldet.',
  'account.looks': 'Aussehen',
  'account.language': 'Sprache',
  'account.theme': 'Farben',
  'account.density': 'Dichte',
  'account.letterKeys': 'Buchstaben sind außerhalb von Feldern Befehle',
  'account.keys': 'Tastatur',
  'account.keysHelp': 'Mit ? sehen Sie alle Tasten.',
}
