// Saving typed values: the form from the moment of the answer on.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RecordData } from '../../../console/record/record-data.ts'
import { RecordForm } from '../../../console/record/record-form.ts'
import { RecordSaver } from '../../../console/record/record-saver.ts'
import { Cache } from '../../../console/state/cache.ts'
import { makeConsole } from '../../../console/state/console.ts'
import { fakeBrowser, json, refused } from '../fake-browser.ts'

const SKU = { alias: 'sku', scope: {} }
const dataOf = (value: string): RecordData =>
  ({ record: { id: 'jp-50', values: { sku: [{ scope: {}, value }] } }, parent: null }) as unknown as RecordData

/** A form whose page passes no new data on; a real page would do so a frame later. */
function editing(answer: (method: string) => Response) {
  const browser = fakeBrowser()
  browser.answer = (_url, init) => answer(init.method ?? 'GET')
  const form = new RecordForm(makeConsole(browser), 'jp-50')
  form.take(dataOf('JP-1'))
  const query = new Cache(browser.now).query('record jp-50 form', async () => dataOf('Theirs'))
  query.put(dataOf('JP-1'))
  const saver = new RecordSaver(
    form,
    () => query,
    () => undefined,
  )
  const shown = () => form.working.value['sku']?.[0]?.value
  return { form, saver, shown }
}

describe('A save', () => {
  it('R3 shows what was typed when nothing is unsaved any more, and never what was there before', async () => {
    const { form, saver, shown } = editing(() => json(dataOf('JP-2').record))
    const seen: unknown[] = []
    form.working.subscribe(() => seen.push(shown()))
    form.set(SKU, { value: 'JP-2' })
    assert.equal(await saver.save(), true)
    assert.equal(form.changes.value.size, 0)
    assert.deepEqual(
      seen.filter((value, at) => value !== seen[at - 1]),
      ['JP-1', 'JP-2'],
    )
    form.close()
  })

  it('R4 shows what somebody else wrote as soon as it is chosen', async () => {
    const { form, saver, shown } = editing(() => refused(412, 'PRECONDITION_FAILED', 'Changed'))
    form.set(SKU, { value: 'JP-2' })
    assert.equal(await saver.save(), false)
    const [conflict] = form.conflicts.value
    saver.takeTheirs(conflict!)
    assert.equal(shown(), 'Theirs')
    form.close()
  })
})
