// The PostgreSQL store searches as the storage contract says.
import { describeItems } from '../contract/items.ts'
import { describeLargeRecords } from '../contract/large-records.ts'
import { describeSearch } from '../contract/search.ts'
import { postgresBackend } from './backend.ts'

for (const describeTopic of [describeSearch, describeItems, describeLargeRecords]) describeTopic(postgresBackend)
