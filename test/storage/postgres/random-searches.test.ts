// Whatever is asked of the PostgreSQL store, its index answers as the plain predicate does: fewer questions than of SQLite, since
// what is asked and how it is planned is the same.
import { describeSearchQuestions } from '../contract/search-questions.ts'
import { describeSearchOrder } from '../contract/search-order.ts'
import { describeSearchedScores } from '../contract/search-scores.ts'
import { postgresBackend } from './backend.ts'

describeSearchQuestions(postgresBackend, { runs: 4, questions: 60 })
describeSearchedScores(postgresBackend)
describeSearchOrder(postgresBackend, 12)
