// The index of the PostgreSQL store answers every question as the plain predicate does. Fewer questions are asked than of SQLite, since
// both share the planner.
// A long file: `npm run test:all` runs it.
import { describe } from 'node:test'
import { sizeOf } from '../helpers/in-full.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'
import { describeSearchQuestions } from '../store/contract/search-questions.ts'
import { describeSearchOrder } from '../store/contract/search-order.ts'
import { describeSearchedScores } from '../store/contract/search-scores.ts'
import { postgresBackend } from './backend.ts'

describe('PostgreSQL', { skip: withoutPostgres() }, () => {
  describeSearchQuestions(
    postgresBackend,
    sizeOf({ full: { runs: 4, questions: 60 }, short: { runs: 3, questions: 40 } }),
  )
  describeSearchedScores(postgresBackend)
  describeSearchOrder(postgresBackend, sizeOf({ full: 12, short: 6 }))
})
