// Removing a segment from a dimension that the values of many records may be scoped to.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, conflict, openWorkbench, schemaOf, text, type Workbench } from './workbench.ts'

describe('While a segment is being removed', () => {
  const scoped = (segment: string) => ({ title: [{ scope: { language: segment }, value: 'x' }] })
  const remove = (bench: Workbench) =>
    bench.dimensions.replace(admin, 'language', { name: 'Language', segments: [{ id: 'one' }] })
  const title = text('title', { dimensionIds: ['language', 'market'] })

  it('nobody writes a value to it, and it goes', async (t) => {
    const bench = await openWorkbench(t)
    const { schema } = await bench.makeSchema([title], scoped('one'), {
      title: [{ scope: { market: 'two' }, value: 'x' }],
    })
    const reached = bench.store.untilAt('look')
    const change = remove(bench)
    await reached
    await assert.rejects(
      bench.records.create(admin, { schemaId: schema.id, values: scoped('two') }),
      conflict('language'),
    )
    await bench.records.create(admin, { schemaId: schema.id, values: scoped('one') })
    await assert.rejects(remove(bench), conflict("'language' is being changed"))
    await assert.rejects(
      bench.schemas.replace(admin, schema.id, schemaOf(title, text('b')), false),
      conflict('language'),
    )
    bench.store.release()
    assert.equal((await change).segments.length, 1)
    await bench.schemas.replace(admin, schema.id, schemaOf(title, text('b')), false)
  })

  it('a schema that begins to name it meanwhile keeps it', async (t) => {
    const bench = await openWorkbench(t)
    await bench.makeSchema([title], scoped('one'))
    const reached = bench.store.untilAt('look')
    const change = remove(bench)
    await reached
    const combinations = [{ language: 'two' }]
    const { id } = await bench.schemas.create(admin, { ...schemaOf(title), combinations })
    bench.store.release()
    await assert.rejects(change, conflict("'two'", id))
    assert.equal((await bench.dimensions.get(admin, 'language')).segments.length, 2)
    assert.equal(await bench.stage(), undefined)
  })

  it('a record of any schema that uses it keeps it, and is named', async (t) => {
    const bench = await openWorkbench(t)
    await bench.makeSchema([title], scoped('one'))
    const { schema, records } = await bench.makeSchema([title], scoped('one'), scoped('two'))
    await assert.rejects(remove(bench), conflict("'two'", 'values of records', records[1]!.id))
    await bench.records.create(admin, { schemaId: schema.id, values: scoped('two') })
  })
})
