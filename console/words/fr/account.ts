// Words of the account.
export const accountWords = {
  'account.you': 'Vous',
  'account.role': 'Rôle {role}',
  'account.current': 'Mot de passe actuel',
  'account.again': 'Répétez le nouveau mot de passe',
  'account.differs': 'Les deux saisies diffèrent.',
  'account.short': 'Au moins {count} caractères.',
  'account.wrong': 'Ce n’est pas votre mot de passe actuel.',
  'account.changePassword': 'Changer de mot de passe',
  'account.passwordChanged': 'Mot de passe changé. Vos autres sessions sont closes.',
  'account.looks': 'Apparence',
  'account.language': 'Langue',
  'account.theme': 'Thème',
  'account.density': 'Densité',
  'account.letterKeys': 'Hors des champs, les lettres sont des commandes',
  'account.keys': 'Clavier',
  'account.keysHelp': 'La touche « ? » affiche tous les raccourcis.',
}
