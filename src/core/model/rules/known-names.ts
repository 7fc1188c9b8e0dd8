// Names of the states and transitions of the first workflow, in the languages of the console.
import type { Named } from './names.ts'
import type { Workflow } from './workflow.ts'

export const KNOWN_NAMES = {
  draft: { name: 'Draft', names: { de: 'Entwurf', fr: 'Brouillon' } },
  review: { name: 'Review', names: { de: 'Prüfung', fr: 'Relecture' } },
  published: { name: 'Published', names: { de: 'Veröffentlicht', fr: 'Publié' } },
  submit: { name: 'Submit for review', names: { de: 'Zur Prüfung geben', fr: 'Soumettre à la relecture' } },
  publish: { name: 'Publish', names: { de: 'Veröffentlichen', fr: 'Publier' } },
  unpublish: { name: 'Unpublish', names: { de: 'Zurückziehen', fr: 'Dépublier' } },
  sendBack: { name: 'Send back', names: { de: 'Zurückgeben', fr: 'Renvoyer' } },
  sendBackToDraft: { name: 'Send back to draft', names: { de: 'Zurückgeben', fr: 'Renvoyer' } },
} as const

/** Returns the workflow with these names, unless somebody has given others. The first workflow has only English names. */
export function withKnownNames(workflow: Workflow): Workflow {
  const { states, transitions } = workflow
  return { ...workflow, states: states.map(withNames), transitions: transitions.map(withNames) }
}

function withNames<Part extends Named>(part: Part): Part {
  const known = Object.values(KNOWN_NAMES).find(({ name }) => name === part.name)
  return part.names !== undefined || known === undefined ? part : { ...part, names: known.names }
}
