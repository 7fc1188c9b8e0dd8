// A cached answer is shown at once, and read again behind.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Unreachable } from '../../../console/api/failures.ts'
import { Cache } from '../../../console/state/cache.ts'
import { settle } from '../fake-browser.ts'

function reading() {
  let now = 0
  const cache = new Cache(() => now)
  const asked: { resolve: (value: string) => void; reject: (error: Error) => void; signal: AbortSignal }[] = []
  const load = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => asked.push({ resolve, reject, signal }))
  return { cache, asked, load, pass: (milliseconds: number) => (now += milliseconds) }
}

describe('The cache', () => {
  it('A2 keeps the last content while it is read again', async () => {
    const { cache, asked, load } = reading()
    const query = cache.query('k', load)
    cache.show(query)
    asked[0]!.resolve('one')
    await settle()
    void query.refresh()
    assert.deepEqual([query.data.value, query.isBusy.value], ['one', true])
    asked[1]!.resolve('two')
    await settle()
    assert.deepEqual([query.data.value, query.isBusy.value], ['two', false])
  })

  it('A3 keeps the content beside an error, which goes with the next answer', async () => {
    const { cache, asked, load } = reading()
    const query = cache.query('k', load)
    cache.show(query)
    asked[0]!.resolve('one')
    await settle()
    void query.refresh()
    asked[1]!.reject(new Error('no'))
    await settle()
    assert.deepEqual([query.data.value, query.error.value?.message, query.isBusy.value], ['one', 'no', false])
    void query.refresh()
    asked[2]!.resolve('two')
    await settle()
    assert.deepEqual([query.data.value, query.error.value], ['two', undefined])
  })

  it('an answer that was overtaken is not shown', async () => {
    const { cache, asked, load } = reading()
    const query = cache.query('k', load)
    cache.show(query)
    void query.refresh()
    asked[1]!.resolve('new')
    asked[0]!.resolve('old')
    await settle()
    assert.equal(query.data.value, 'new')
    assert.equal(asked[0]!.signal.aborted, true)
  })

  it('reads again when it is shown after a while, not when it was read just now', async () => {
    const { cache, asked, load, pass } = reading()
    const query = cache.query('k', load)
    const leave = cache.show(query)
    asked[0]!.resolve('one')
    await settle()
    leave()
    cache.show(cache.query('k', load))()
    assert.equal(asked.length, 1)
    pass(6000)
    cache.show(cache.query('k', load))
    assert.equal(asked.length, 2)
    assert.equal(query.data.value, 'one')
  })

  it('what nobody shows any more is not read to its end', () => {
    const { cache, asked, load } = reading()
    cache.show(cache.query('k', load))()
    assert.equal(asked[0]!.signal.aborted, true)
  })

  it('what is being deleted is not read, nor when it is gone', async () => {
    const { cache, asked, load } = reading()
    const query = cache.query('k', load)
    cache.show(query)
    asked[0]!.resolve('one')
    await settle()
    void query.refresh()
    const deletion = Promise.withResolvers<void>()
    const deleting = cache.deleting('k', () => deletion.promise)
    assert.deepEqual([asked[1]!.signal.aborted, query.isBusy.value], [true, false])
    void query.refresh()
    cache.refreshAll('')
    deletion.resolve()
    await deleting
    void query.refresh()
    assert.deepEqual([asked.length, query.data.value, query.error.value], [2, 'one', undefined])
    cache.show(cache.query('k', load))
    assert.equal(asked.length, 3)
  })

  it('what could not be deleted is read again', async () => {
    const { cache, asked, load } = reading()
    const query = cache.query('k', load)
    cache.show(query)
    asked[0]!.resolve('one')
    await settle()
    await assert.rejects(
      cache.deleting('k', () => Promise.reject(new Error('in use'))),
      { message: 'in use' },
    )
    asked[1]!.resolve('two')
    await settle()
    assert.equal(query.data.value, 'two')
  })

  it('A5 counts what changed elsewhere until it has been read', async () => {
    const { cache, asked, load } = reading()
    const query = cache.query('record r1', load)
    cache.show(query)
    cache.markChanged()
    assert.equal(query.changes.value, 0, 'nothing is shown yet')
    asked[0]!.resolve('one')
    await settle()
    assert.equal(query.changes.value, 1, 'the first answer may be of before')
    cache.markChanged((key) => key === 'record r1')
    cache.markChanged((key) => key === 'record r2')
    assert.equal(query.changes.value, 2)
    void query.refresh()
    cache.markChanged()
    asked[1]!.resolve('two')
    await settle()
    assert.equal(query.changes.value, 1, 'what came while it was read may not be in it')
  })

  it('after a write what is shown is read again, the rest when it is shown', async () => {
    const { cache, asked, load } = reading()
    const shown = cache.query('list a', load)
    cache.show(shown)
    asked[0]!.resolve('one')
    const hidden = cache.query('list b', load)
    cache.show(hidden)()
    await settle()
    cache.refreshAll('list')
    assert.equal(asked.length, 3)
    cache.show(hidden)
    assert.equal(asked.length, 4)
  })

  it('A6 what could not be read while the server did not answer is read when it does; what it refused is not', async () => {
    const { cache, asked, load } = reading()
    const away = cache.query('a', load)
    const refused = cache.query('b', load)
    cache.show(away)
    cache.show(refused)
    asked[0]!.reject(new Unreachable(undefined))
    asked[1]!.reject(new Error('no'))
    await settle()
    cache.refreshFailed()
    assert.equal(asked.length, 3)
    asked[2]!.resolve('one')
    await settle()
    assert.deepEqual([away.data.value, away.error.value], ['one', undefined])
  })
})
