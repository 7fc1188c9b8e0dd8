// Input and examples of export previews. Contract 2 §6, 3 §5.
import * as v from 'valibot'
import { wholeNumber } from '../../kernel/input/validation.ts'
import { contentTypeOf } from '../rules/export-format.ts'
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts'

export const PreviewInput = v.object({
  limit: v.optional(wholeNumber(1, 100), 10),
})

const RECORD = EXAMPLE_IDS.record
export const EXPORTED_RECORD = {
  id: RECORD,
  schemaId: 'sch-shirt',
  parentId: null,
  lifecycleStateId: 'state-published',
  createdAt: '2026-03-02T09:30:00.000Z',
  updatedAt: '2026-03-05T14:00:00.000Z',
  values: { name: 'Baumwollhemd' },
}
const exported = JSON.stringify(EXPORTED_RECORD)
export const PREVIEW_EXAMPLES = {
  [contentTypeOf('csv', false)]:
    'id,schemaId,parentId,lifecycleStateId,createdAt,updatedAt,name\r\n' +
    `${RECORD},sch-shirt,,state-published,2026-03-02T09:30:00.000Z,2026-03-05T14:00:00.000Z,Baumwollhemd\r\n`,
  [contentTypeOf('json', false)]: `[${exported}]`,
  [contentTypeOf('jsonl', false)]: `${exported}\n`,
  [contentTypeOf('xml', false)]:
    '<?xml version="1.0" encoding="UTF-8"?>\n<records>\n' +
    `<record id="${RECORD}" schemaId="sch-shirt" lifecycleStateId="state-published" ` +
    'createdAt="2026-03-02T09:30:00.000Z" updatedAt="2026-03-05T14:00:00.000Z">\n' +
    '  <value attribute="name">Baumwollhemd</value>\n</record>\n</records>\n',
}
