// German: the words of the places behind the first screen. One file when built.
import type { words as english } from '../en/places.ts'
import type { problemWords as problems } from '../en/problems.ts'
import { bulkWords } from './bulk.ts'
import { categoriesWords } from './categories.ts'
import { destinationWords } from './destinations.ts'
import { eventsWords } from './events.ts'
import { exportsWords } from './exports.ts'
import { formWords } from './forms.ts'
import { helpWords } from './help.ts'
import { hintWords } from './hints.ts'
import { importsWords } from './imports.ts'
import { modelWords } from './model.ts'
import { peopleWords } from './people.ts'
import { problemWords } from './problems.ts'
import { recordWords } from './record.ts'
import { recordsWords } from './records.ts'
import { sheetsWords } from './sheets.ts'
import { talkWords } from './talk.ts'
import type { Word } from '../languages.ts'

export const words = {
  ...bulkWords,
  ...categoriesWords,
  ...destinationWords,
  ...eventsWords,
  ...exportsWords,
  ...formWords,
  ...helpWords,
  ...hintWords,
  ...importsWords,
  ...modelWords,
  ...peopleWords,
  ...problemWords,
  ...recordWords,
  ...recordsWords,
  ...sheetsWords,
  ...talkWords,
} satisfies Record<keyof typeof english | keyof typeof problems, Word>
