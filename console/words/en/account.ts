// Words of the account.
export const accountWords = {
  'account.you': 'You',
  'account.role': 'Role {role}',
  'account.current': 'Present password',
  'account.again': 'New password again',
  'account.differs': 'This is not the same as above.',
  'account.short': 'At least {count} characters.',
  'account.wrong': 'This is not your present password.',
  'account.changePassword': 'Change password',
  'account.passwordChanged': 'Password changed. Other places where you were signed in are signed out.',
  'account.looks': 'Looks',
  'account.language': 'Language',
  'account.theme': 'Theme',
  'account.density': 'Density',
  'account.letterKeys': 'Letter keys are commands outside of fields',
  'account.keys': 'Keyboard',
  'account.keysHelp': 'With ? you see all keys.',
} as const
