// Words of summaries, by language. Contract 5 §7. Names and labels come as they are to be shown.
import type { SummaryLanguage } from './summary.ts'
import type { NoticeKind } from './notice.ts'

/** The words of one item. */
export interface Told {
  /** The person who caused the notice. */
  readonly by: string
  /** The record, the job, or a number of records. */
  readonly what: string
  /** A day, in the language; '' for none. */
  readonly day: string
}

export interface SummaryWords {
  readonly subject: (count: number) => string
  readonly hello: (name: string) => string
  readonly somebody: string
  readonly records: (count: number) => string
  readonly work: string
  readonly news: string
  readonly due: (told: Told) => string
  readonly overdue: (told: Told) => string
  readonly notices: Readonly<Record<Exclude<NoticeKind, 'dueTomorrow' | 'overdue'>, (told: Told) => string>>
  readonly more: (count: number) => string
  readonly open: string
  /** How to switch summaries off: with an address, and without one. */
  readonly off: string
  readonly offInConsole: string
  readonly trial: { readonly subject: string; readonly text: string }
}

const en: SummaryWords = {
  subject: (count) => (count === 1 ? 'pimlet: 1 thing for you' : `pimlet: ${count} things for you`),
  hello: (name) => `Hello ${name},`,
  somebody: 'Somebody',
  records: (count) => (count === 1 ? '1 record' : `${count} records`),
  work: 'Your work',
  news: 'New since your last summary',
  due: ({ what, day }) => `${what} is due on ${day}`,
  overdue: ({ what, day }) => `${what} was due on ${day}`,
  notices: {
    mention: ({ by, what }) => `${by} mentioned you: ${what}`,
    reply: ({ by, what }) => `${by} answered in your thread: ${what}`,
    comment: ({ by, what }) => `${by} commented on ${what}`,
    assignment: ({ by, what }) => `${by} assigned you ${what}`,
    exportFailed: ({ what }) => `The export ${what} failed`,
    importEnded: () => 'Your import ended',
  },
  more: (count) => (count === 1 ? 'and 1 more' : `and ${count} more`),
  open: 'Open pimlet',
  off: 'You chose this daily summary. Change the hour or switch it off:',
  offInConsole: 'You chose this daily summary. Switch it off in pimlet, on the page of your account.',
  trial: {
    subject: 'pimlet: trial message',
    text: 'This is a trial. Daily summaries will come this way.',
  },
}

const de: SummaryWords = {
  subject: (count) => (count === 1 ? 'pimlet: 1 Punkt für Sie' : `pimlet: ${count} Punkte für Sie`),
  hello: (name) => `Hallo ${name},`,
  somebody: 'Jemand',
  records: (count) => (count === 1 ? '1 Datensatz' : `${count} Datensätze`),
  work: 'Ihre Aufgaben',
  news: 'Neu seit der letzten Zusammenfassung',
  due: ({ what, day }) => `${what} ist am ${day} fällig`,
  overdue: ({ what, day }) => `${what} war am ${day} fällig`,
  notices: {
    mention: ({ by, what }) => `${by} hat Sie erwähnt: ${what}`,
    reply: ({ by, what }) => `${by} hat in Ihrem Gespräch geantwortet: ${what}`,
    comment: ({ by, what }) => `${by} hat ${what} kommentiert`,
    assignment: ({ by, what }) => `${by} hat Ihnen ${what} zugewiesen`,
    exportFailed: ({ what }) => `Der Export ${what} ist gescheitert`,
    importEnded: () => 'Ihr Import ist beendet',
  },
  more: (count) => (count === 1 ? 'und 1 weiterer' : `und ${count} weitere`),
  open: 'pimlet öffnen',
  off: 'Sie haben diese tägliche Zusammenfassung gewählt. Stunde ändern oder ausschalten:',
  offInConsole:
    'Sie haben diese tägliche Zusammenfassung gewählt. Sie können sie in pimlet auf der Seite Ihres Kontos ausschalten.',
  trial: {
    subject: 'pimlet: Probenachricht',
    text: 'Dies ist eine Probe. Tägliche Zusammenfassungen kommen auf diesem Weg.',
  },
}

const fr: SummaryWords = {
  subject: (count) => (count < 2 ? `pimlet : ${count} point pour vous` : `pimlet : ${count} points pour vous`),
  hello: (name) => `Bonjour ${name},`,
  somebody: 'Quelqu’un',
  records: (count) => (count < 2 ? `${count} fiche` : `${count} fiches`),
  work: 'Vos tâches',
  news: 'Nouveau depuis le dernier résumé',
  due: ({ what, day }) => `${what} est à rendre le ${day}`,
  overdue: ({ what, day }) => `${what} était à rendre le ${day}`,
  notices: {
    mention: ({ by, what }) => `${by} vous a mentionné : ${what}`,
    reply: ({ by, what }) => `${by} a répondu dans votre fil : ${what}`,
    comment: ({ by, what }) => `${by} a commenté ${what}`,
    assignment: ({ by, what }) => `${by} vous a confié ${what}`,
    exportFailed: ({ what }) => `L’export ${what} a échoué`,
    importEnded: () => 'Votre import est terminé',
  },
  more: (count) => (count < 2 ? `et ${count} autre` : `et ${count} autres`),
  open: 'Ouvrir pimlet',
  off: 'Vous avez choisi ce résumé quotidien. Changer l’heure ou le désactiver :',
  offInConsole:
    'Vous avez choisi ce résumé quotidien. Vous pouvez le désactiver dans pimlet, sur la page de votre compte.',
  trial: {
    subject: 'pimlet : message d’essai',
    text: 'Ceci est un essai. Les résumés quotidiens arriveront par cette voie.',
  },
}

export const SUMMARY_WORDS: Readonly<Record<SummaryLanguage, SummaryWords>> = { en, de, fr }
