// What the database's faults become.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PimletError } from '../../src/kernel/errors.ts'
import { Connection } from '../../src/postgres/connection.ts'
import { isWorthAgain } from '../../src/postgres/postgres-errors.ts'
import { makeDatabase } from '../helpers/postgres.ts'
import { insertModel, insertRecord, insertRecords, recordOf } from '../store/contract/fixtures.ts'
import { openStore } from './backend.ts'
import { withoutPostgres } from '../helpers/postgres-programs.ts'

/** SQLSTATE → what it becomes. */
const STATES = {
  '23505': 'fault',
  '40001': 'again',
  '40P01': 'again',
  '53100': 'UNAVAILABLE',
  '53300': 'UNAVAILABLE',
  '57P01': 'UNAVAILABLE',
  '08006': 'UNAVAILABLE',
  '55P03': 'UNAVAILABLE',
  '57014': 'UNAVAILABLE',
  '25P02': 'UNAVAILABLE',
  '25P03': 'UNAVAILABLE',
  '42P01': 'fault',
  '22001': 'fault',
}

function kindOf(error: unknown): string {
  if (error instanceof PimletError) return error.code
  return isWorthAgain(error) ? 'again' : 'fault'
}

describe('PostgreSQL: faults', { skip: withoutPostgres() }, () => {
  it('become what the product knows, by their SQLSTATE', async (test) => {
    const connection = await Connection.open(await makeDatabase())
    test.after(() => connection.close())
    for (const [state, kind] of Object.entries(STATES)) {
      const raised = connection.script(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`)
      const error = await raised.catch((thrown: unknown) => thrown)
      assert.equal(kindOf(error), kind, state)
    }
  })

  it('one that only one transaction of a batch is to blame for fails that one alone', async (test) => {
    const { url } = await makeDatabase()
    const store = await openStore(url)
    test.after(() => store.close())
    await store.transaction(insertModel)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) =>
        store.transaction(async (tx) => {
          await insertRecord(tx, recordOf(`ent-${n}`))
          // There is no such job.
          if (n === 5) await tx.exportLeftovers.note('none', 'a')
        }),
      ),
    )
    assert.deepEqual(
      outcomes.map(({ status }) => status === 'rejected'),
      Array.from({ length: 12 }, (_, n) => n === 5),
    )
    assert.equal(await store.read.records.count({}), 11)
    assert.deepEqual(
      (await store.read.audit.listAfter(0, 20)).map(({ sequence }) => sequence),
      Array.from({ length: 11 }, (_, n) => n + 1),
    )
  })

  it('a batch that stood in another transaction’s way is run again', async (test) => {
    const { url } = await makeDatabase()
    const store = await openStore(url)
    test.after(() => store.close())
    await store.transaction(insertModel)
    const other = await Connection.open({ url })
    test.after(() => other.close())
    // A serialization failure at the first insertion, and at no other.
    await other.script(`CREATE SEQUENCE inserted;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('inserted') = 1 THEN RAISE EXCEPTION USING ERRCODE = '40001'; END IF; RETURN NULL; END $$;
      CREATE TRIGGER refuse AFTER INSERT ON record FOR EACH STATEMENT EXECUTE FUNCTION refuse()`)
    await insertRecords(store, ['ent-1'])
    assert.equal(await store.read.records.count({}), 1)
  })

  it('a server that hangs while it writes does not stop the others for good', async (test) => {
    const { url } = await makeDatabase()
    const store = await openStore(url)
    test.after(() => store.close())
    await store.transaction(insertModel)
    const hanging = await Connection.open({ url, settings: { idle_in_transaction_session_timeout: '300ms' } })
    test.after(() => hanging.close())
    await hanging.script('BEGIN; SELECT 1 FROM workspace FOR UPDATE')
    await insertRecords(store, ['ent-1'])
    assert.equal(await store.read.records.count({}), 1)
    await assert.rejects(hanging.script('COMMIT'), PimletError)
  })
})
