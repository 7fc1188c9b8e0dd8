// What a job has of the members that came after its first ones, where nobody asks for anything.
import { PLAIN_CSV } from '../../src/domain/exports/csv-dialect.ts'

export const PLAIN_JOB = {
  ...PLAIN_CSV,
  selection: null,
  sort: [],
  columns: null,
  sheet: null,
  guards: null,
  delta: null,
  checksum: null,
} as const
