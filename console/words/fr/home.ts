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
  'home.noRecords': 'Aucune fiche pour l’instant',
  'home.noRecordsHelp': 'Ajoutez la première fiche, ou importez un fichier de fiches.',
  'home.importFile': 'Importer un fichier',
}
