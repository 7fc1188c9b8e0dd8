// Words of the home page.
export const homeWords = {
  'home.forYou': 'Pour vous',
  'home.mayMove': '{count} en {state}, à faire avancer : {transition}',
  'home.nothingForYou': 'Rien ne vous attend.',
  'home.complete': 'Complètes pour {state}',
  'home.cell': '{count} sur {total} complètes : {scope}',
  'home.lacking': '{count} incomplètes : {scope}',
  'home.next': 'prochaine {time}',
  'home.paused': 'en pause',
  'home.lastChanged': 'Dernières modifications',
  'home.jobs': 'Tâches',
  'home.cut': 'Les {count} premières combinaisons sur {total}',
  'home.room': '{count} fiches sur {max} au plus dans l’espace de travail',
  'home.begin': 'Un espace de travail vide',
  'home.beginHelp': 'Trois étapes jusqu’à la première fiche :',
  'home.beginDimension':
    'Une dimension, par exemple la langue ou le marché. Sans dimension, une valeur s’applique partout.',
  'home.beginSchema': 'Un schéma : les attributs de vos fiches.',
  'home.beginRecord': 'La première fiche.',
  'home.done': 'fait',
  'home.addDimension': 'Ajouter une dimension',
  'home.addSchema': 'Ajouter un schéma',
}
