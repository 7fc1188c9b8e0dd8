// Schemas and records from before references were noted, and what an upgrade must note of them.

interface Row {
  readonly id: string
  readonly document: string
}

const attribute = (alias: string, dataType: string) => ({ alias, dataType })
const everywhere = (value: unknown) => [{ scope: {}, value }]

const KEPT = [
  attribute('one', 'reference'),
  attribute('many', 'references'),
  attribute('constructor', 'references'),
  attribute('a-b_c', 'reference'),
  attribute('lab', 'json'),
  // PostgreSQL reads neither a NUL nor half of a pair.
  { ...attribute('note', 'text'), name: 'a\0\ud800"\\' },
]

export const FORMER_SCHEMAS: readonly Row[] = [
  { id: 's-1', document: JSON.stringify({ id: 's-1', attributes: [...KEPT, attribute('old', 'references')] }) },
  { id: 's-2', document: JSON.stringify({ id: 's-2', attributes: [attribute('one', 'text')] }) },
]

/** A renaming is under way: some records have the new name. */
export const FORMER_CHANGE: Row = {
  id: 'schema s-1',
  document: JSON.stringify({
    id: 'schema s-1',
    kind: 'schema',
    before: { id: 's-1', attributes: [...KEPT, attribute('old', 'references')] },
    after: { id: 's-1', attributes: [...KEPT, attribute('new', 'references')] },
  }),
}

const scoped = [
  { scope: { market: 'eu', language: 'de' }, value: ['t-2', 't-1'] },
  { scope: { language: 'en' }, value: [] },
  ...everywhere(['t-1']),
]

export const FORMER_RECORDS: readonly (Row & { readonly schemaId: string })[] = [
  {
    id: 'r-1',
    schemaId: 's-1',
    document: JSON.stringify({
      one: everywhere('t-1'),
      many: scoped,
      note: everywhere('\0\\u0000\\\0\ud800\udbff "many":['),
    }),
  },
  {
    id: 'r-2',
    schemaId: 's-1',
    document: JSON.stringify({ one: everywhere(''), constructor: everywhere(['t-3']), 'a-b_c': everywhere('[t-4') }),
  },
  { id: 'r-3', schemaId: 's-1', document: JSON.stringify({ lab: everywhere(['t-1']), old: everywhere(['t-5']) }) },
  { id: 'r-4', schemaId: 's-1', document: JSON.stringify({ new: everywhere(['t-5', 't-6']) }) },
  { id: 'r-5', schemaId: 's-2', document: JSON.stringify({ one: everywhere('t-1') }) },
  { id: 'r-6', schemaId: 's-1', document: '{}' },
]

/** As `target schema alias record scope`, in order. */
export const NOTED = [
  '[t-4 s-1 a-b_c r-2 ',
  't-1 s-1 many r-1 ',
  't-1 s-1 many r-1 language=de;market=eu',
  't-1 s-1 one r-1 ',
  't-2 s-1 many r-1 language=de;market=eu',
  't-3 s-1 constructor r-2 ',
  't-5 s-1 new r-4 ',
  't-5 s-1 old r-3 ',
  't-6 s-1 new r-4 ',
]
