// Restoring any version of a record with a drawn history gives the values of that version. Contract 3 §3.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import * as fc from 'fast-check'
import { send } from '../../../helpers/answers.ts'
import { itLong } from '../../../helpers/long.ts'
import {
  english,
  everywhere,
  german,
  makeShirt,
  readAudit,
  readRecord,
  type RecordBody,
  type ScopedValueBody,
  startWorkspace,
  type ValuesBody,
  type Workspace,
} from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace({ maxRecords: 0 })
})
after(() => shop.stop())

const anyValues: fc.Arbitrary<ValuesBody> = fc.record(
  {
    name: fc.constantFrom<ScopedValueBody[]>(
      [english('a'), german('b')],
      [german('')],
      [],
      [german('c'), english('a')],
    ),
    weight: fc.constantFrom<ScopedValueBody[]>(everywhere(0), everywhere(1.5), []),
    extra: fc.constantFrom<ScopedValueBody[]>(everywhere({ a: null }), everywhere([]), []),
    toString: fc.constantFrom<ScopedValueBody[]>(everywhere('a'), []),
  },
  { requiredKeys: [] },
)
const DELETION = 'delete'
const anyHistory = fc.array(fc.oneof({ arbitrary: anyValues, weight: 4 }, fc.constant(DELETION)), {
  minLength: 1,
  maxLength: 5,
})

/** What a version has; the history does not keep the order of scoped values. */
function shown({ values, parentId, createdAt }: RecordBody): unknown {
  const sorted = Object.entries(values).map(([alias, scoped]) => [
    alias,
    new Set(scoped.map((one) => JSON.stringify(one))),
  ])
  return { values: Object.fromEntries(sorted) as unknown, parentId, createdAt }
}

const property = fc.asyncProperty(anyValues, anyHistory, async (first, history) => {
  const parent = await makeShirt(shop.admin, { weight: everywhere(9) })
  const { id } = await makeShirt(shop.admin, first, { parentId: parent.id })
  const path = `/api/v1/records/${id}`
  const newest = async () => (await readAudit(shop.admin, id))[0]!.version
  const restore = async (version: number) => {
    const { status, body, text } = await send<RecordBody>(shop.admin, 'POST', `${path}/restore`, { version })
    assert.equal(status, 200, text)
    assert.deepEqual(await readRecord(shop.admin, id), body)
    return shown(body)
  }
  const versions = new Map([[await newest(), shown(await readRecord(shop.admin, id))]])
  for (const step of history)
    if (step === DELETION) {
      await send(shop.admin, 'DELETE', path)
      const [version, was] = [...versions].at(-1)!
      assert.deepEqual(await restore(version), was)
      versions.set(await newest(), was)
    } else {
      await send(shop.admin, 'PATCH', path, { values: step })
      versions.set(await newest(), shown(await readRecord(shop.admin, id)))
    }
  for (const [version, was] of versions) {
    const { body } = await send<RecordBody>(shop.admin, 'GET', `${path}?version=${version}`)
    assert.deepEqual(shown(body), was)
    assert.deepEqual(await restore(version), was)
    assert.deepEqual(await restore(version), was)
    assert.deepEqual((await readAudit(shop.admin, id))[0]!.changes, [], 'the second restore changes nothing')
  }
})

it('A restore gives each version of a record, and a second one changes nothing', () =>
  fc.assert(property, { numRuns: 3, endOnFailure: true }))
itLong('A restore gives each version of many records', () => fc.assert(property, { numRuns: 60, endOnFailure: true }))
