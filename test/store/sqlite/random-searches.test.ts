// Whatever is asked of the SQLite store, its index answers as the plain predicate does.
// A long file: `npm run test:all` runs it.
import { describeSearchQuestions } from '../contract/search-questions.ts'
import { describeSearchOrder } from '../contract/search-order.ts'
import { describeSearchedScores } from '../contract/search-scores.ts'
import { sqliteBackend } from './backend.ts'

describeSearchQuestions(sqliteBackend)
describeSearchedScores(sqliteBackend)
describeSearchOrder(sqliteBackend)
