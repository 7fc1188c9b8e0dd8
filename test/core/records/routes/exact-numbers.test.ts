// Numbers that a double cannot hold, wherever a client may write one. Contract 3 §9.9.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Answer, assertRefused } from '../../../helpers/answers.ts'
import type { Client } from '../../../helpers/client.ts'
import { CSV, importFile } from '../../../helpers/importing.ts'
import { makeShirt, readRecord, startWorkspace, type Workspace } from '../../../helpers/shirts.ts'

let shop: Workspace
before(async () => {
  shop = await startWorkspace()
})
after(() => shop.stop())

/** `body` goes as it is: to write such a number takes text. */
async function sendText(client: Client, method: string, path: string, body: string): Promise<Answer<unknown>> {
  const response = await fetch(client.url + path, {
    method,
    headers: { ...client.headers, 'content-type': 'application/json' },
    body,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown }
}

const LOST = [
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890',
  '0.1000000000000000055511151231257827',
  '1e-400',
]
const values = (alias: string, value: string): string => `{"${alias}":[{"scope":{},"value":${value}}]}`

describe('A number that a double cannot hold', () => {
  it('is refused in POST, PUT and PATCH of a record, naming the field and the number', async () => {
    const { id } = await makeShirt(shop.admin, { weight: [{ scope: {}, value: 1 }] })
    const path = `/api/v1/records/${id}`
    for (const number of LOST) {
      const create = `{"schemaId":"sch-shirt","values":${values('weight', number)}}`
      const named = ['values.weight[0].value', number]
      assertRefused(await sendText(shop.admin, 'POST', '/api/v1/records', create), 'VALIDATION_ERROR', ...named)
      const update = `{"values":${values('weight', number)}}`
      assertRefused(await sendText(shop.admin, 'PUT', path, update), 'VALIDATION_ERROR', ...named)
      const patch = `{"scopedValues":[{"scope":{},"value":${number}}]}`
      const patched = await sendText(shop.admin, 'PATCH', `${path}/values/weight`, patch)
      assertRefused(patched, 'VALIDATION_ERROR', 'weight: scopedValues[0].value', number)
    }
    const price = `{"values":{"price":[{"scope":{"market":"eu"},"value":{"amount":9007199254740993,"currency":"EUR"}}]}}`
    assertRefused(await sendText(shop.admin, 'PUT', path, price), 'VALIDATION_ERROR', 'values.price[0].value amount')
    assert.deepEqual((await readRecord(shop.admin, id)).values, { weight: [{ scope: {}, value: 1 }] })
  })

  it('is no value of another data type, nor a scope, nor values', async () => {
    for (const alias of ['sku', 'onSale', 'color', 'related', 'price']) {
      const body = `{"schemaId":"sch-shirt","values":${values(alias, '9007199254740993')}}`
      assertRefused(await sendText(shop.admin, 'POST', '/api/v1/records', body), 'VALIDATION_ERROR', `values.${alias}`)
    }
    for (const odd of [
      '9007199254740993',
      '{"weight":9007199254740993}',
      '{"weight":[9007199254740993]}',
      '{"weight":[{"scope":9007199254740993,"value":1}]}',
    ]) {
      const body = `{"schemaId":"sch-shirt","values":${odd}}`
      assertRefused(await sendText(shop.admin, 'POST', '/api/v1/records', body), 'VALIDATION_ERROR', 'values')
    }
  })

  it('is taken inside a value of type json, as the nearest double', async () => {
    for (const [value, kept] of [
      ['9007199254740993', 9007199254740992],
      [
        '{"a":[9007199254740993,{"__proto__":0.1000000000000000055511151231257827}]}',
        { a: [9007199254740992, { ['__proto__']: 0.1 }] },
      ],
    ] as const) {
      const answer = await sendText(
        shop.admin,
        'POST',
        '/api/v1/records',
        `{"schemaId":"sch-shirt","values":${values('extra', value)}}`,
      )
      assert.equal(answer.status, 201, answer.text)
      const stored = await readRecord(shop.admin, (answer.body as { id: string }).id)
      assert.equal(JSON.stringify(stored.values['extra']![0]!.value), JSON.stringify(kept))
    }
  })

  it('is refused anywhere else in a body, by its path, and what is held is not', async () => {
    const refuse = async (path: string, body: string, named: string): Promise<void> =>
      assertRefused(await sendText(shop.admin, 'POST', path, body), 'VALIDATION_ERROR', named, '9007199254740993')
    await refuse('/api/v1/search', '{"criteria":[],"criteriaOperator":"and","limit":9007199254740993}', 'limit')
    await refuse(
      '/api/v1/schemas',
      '{"name":"A","attributes":[{"alias":"a","dataType":"number","validation":{"min":9007199254740993}}]}',
      'attributes[0].validation.min',
    )
    await refuse('/api/v1/records', '{"id":9007199254740993,"schemaId":"sch-plain","values":{}}', 'id')
    for (const number of [
      '1.0',
      '1.10',
      '1e3',
      '0.30000000000000004',
      '9007199254740992',
      '1e21',
      `1.${'0'.repeat(500)}`,
    ]) {
      const body = `{"schemaId":"sch-shirt","values":${values('weight', number)}}`
      assert.equal((await sendText(shop.admin, 'POST', '/api/v1/records', body)).status, 201, number)
    }
  })

  it('fails its line of an import, of ndjson and csv alike, but in json', async () => {
    const line = (id: string, alias: string, value: string): string =>
      `{"id":"${id}","schemaId":"sch-shirt","values":${values(alias, value)}}\n`
    const json = await importFile(
      shop.admin,
      line('n-1', 'weight', '9007199254740993') +
        line('n-2', 'weight', '1.50') +
        line('n-3', 'extra', '9007199254740993'),
    )
    assert.deepEqual([json.created, json.failed], [2, 1])
    assert.match(json.errors[0]!.message, /^values\.weight\[0\]\.value is 9007199254740993/)
    const csv = await importFile(
      shop.admin,
      'id,schemaId,weight,extra\nc-1,sch-shirt,9007199254740993,\nc-2,sch-shirt,1.50,\nc-3,sch-shirt,,9007199254740993\nc-4,sch-shirt,0.1000000000000000055511151231257827,\n',
      '',
      CSV,
    )
    assert.deepEqual([csv.created, csv.failed], [2, 2])
    assert.match(csv.errors[0]!.message, /^The column 'weight' is 9007199254740993/)
  })
})
