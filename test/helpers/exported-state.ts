// Reads what an export in any format has of records, so that tests can tell that something was given back as it was.
import assert from 'node:assert/strict'
import { ask } from './files.ts'
import type { Client } from './client.ts'
import { partsOf } from './workbook.ts'

const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

export const EXPORT_FORMATS = ['csv', 'json', 'jsonl', 'xml', 'xlsx'] as const

/** The records of a schema in a file, in the order of IDs, without times. */
export async function readExported(
  client: Client,
  asked: { readonly schemaId: string; readonly format: (typeof EXPORT_FORMATS)[number] },
): Promise<string> {
  const search = { criteria: [], criteriaOperator: 'and', sort: [{ field: 'id' }] }
  const { status, bytes } = await ask(client, '/api/v1/records/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...search, ...asked }),
  })
  assert.equal(status, 200, bytes.toString())
  return textOf(asked.format, bytes)
}

function textOf(format: string, bytes: Buffer): string {
  if (format !== 'xlsx') return bytes.toString().replaceAll(TIME, 'TIME')
  // A cell has a time as a number of days: the columns of times are those of the fixed fields.
  const sheet = partsOf(bytes).get('xl/worksheets/sheet1.xml')!
  return sheet.replaceAll(/<c r="[EF]\d+"[^>]*><v>[\d.]+<\/v><\/c>/g, 'TIME')
}
