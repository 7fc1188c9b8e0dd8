// The PostgreSQL store searches as the storage contract says.
// A long file: `npm run test:all` runs it.
import { describe } from 'node:test'
import { describeItems } from '../store/contract/items.ts'
import { describeLargeRecords } from '../store/contract/large-records.ts'
import { describeSearch } from '../store/contract/search.ts'
import { postgresBackend } from './backend.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

describe('PostgreSQL', { skip: withoutPostgres() }, () => {
  for (const describeTopic of [describeSearch, describeItems, describeLargeRecords]) describeTopic(postgresBackend)
})
