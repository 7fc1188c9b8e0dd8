// The names of the data types. Decisions §3; what each means is in `datatypes.ts`.

export const DATA_TYPE_NAMES = [
  'text',
  'richText',
  'url',
  'number',
  'boolean',
  'date',
  'dateTime',
  'select',
  'multiSelect',
  'price',
  'measurement',
  'reference',
  'json',
] as const

export type DataTypeName = (typeof DATA_TYPE_NAMES)[number]
