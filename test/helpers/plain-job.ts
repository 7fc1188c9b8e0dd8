// What a job has of the members that came after its first ones, where nobody asks for anything.
import type { StoredUser } from '../../src/core/accounts/rules/account.ts'
import { PLAIN_CSV } from '../../src/core/csv/csv-dialect.ts'

export const PLAIN_JOB = {
  ...PLAIN_CSV,
  selection: null,
  sort: [],
  columns: null,
  sheet: null,
  xml: null,
  guards: null,
  files: null,
  delta: null,
  checksum: null,
  ownerId: 'usr-1',
  ownerKind: 'user',
  pausedReason: null,
  resumesWithOwner: false,
} as const

/** The owner of the plain job. */
export const OWNER: StoredUser = {
  id: PLAIN_JOB.ownerId,
  username: 'ann',
  name: 'Ann',
  roleId: 'role-admin',
  disabled: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  passwordHash: 'hash',
  tokenGeneration: 1,
}
