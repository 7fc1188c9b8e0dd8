// Whatever is asked of the SQLite store, its index answers as the plain predicate does.
import { describeSearchQuestions } from '../contract/search-questions.ts'
import { describeSearchedScores } from '../contract/search-scores.ts'
import { sqliteBackend } from './backend.ts'

describeSearchQuestions(sqliteBackend)
describeSearchedScores(sqliteBackend)
