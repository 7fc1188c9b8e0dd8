// Names and examples of the shapes of product sheets.
import { component, type Components } from '../../http/openapi/component.ts'
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts'
import { SheetInput, SheetLinkInput } from '../rules/sheet-link.ts'
import { SheetTemplateInput, SheetTemplateShape } from '../rules/sheet-template.ts'
import { NewSheetLinkShape, SheetLinkShape } from './sheet-shapes.ts'

const times = { createdAt: '2026-03-01T09:30:00.000Z', updatedAt: '2026-03-01T09:30:00.000Z' }
const template = {
  id: 'sht-buyers',
  name: 'For buyers',
  schemaId: 'sch-shirt',
  heading: 'Spring collection',
  footer: 'Prices without VAT. Subject to change.',
  sections: [{ heading: 'Facts', attributeAliases: ['name', 'price'] }],
  pictures: [],
  preset: 'web',
  pictureSize: 'medium',
  paper: 'A4',
  language: 'de',
  scope: { language: 'de' },
} as const
const input = { ...template, sections: [{ heading: 'Facts', attributeAliases: ['name', 'price'] }], pictures: [] }
const content = {
  recordIds: [EXAMPLE_IDS.record],
  templateId: 'sht-buyers',
  language: 'de',
  scope: { language: 'de' },
}
const link = {
  ...content,
  id: 'shl-0f1e2d3c4b5a69788796a5b4c3d2e1f0',
  name: 'For the trade fair',
  ownerId: EXAMPLE_IDS.user,
  ownerKind: 'user',
  createdAt: times.createdAt,
  expiresAt: '2026-03-15T09:30:00.000Z',
  visits: 3,
  lastVisitAt: '2026-03-02T10:00:00.000Z',
} as const

export const sheetComponents: Components = {
  SheetTemplate: component(SheetTemplateShape, { ...input, ...times }),
  SheetTemplateInput: component(SheetTemplateInput, input),
  SheetInput: component(SheetInput, content),
  SheetLinkInput: component(SheetLinkInput, { ...content, name: link.name, purpose: 'share', hours: 336 }),
  SheetLink: component(SheetLinkShape, link),
  NewSheetLink: component(NewSheetLinkShape, {
    ...link,
    visits: 0,
    lastVisitAt: null,
    url: 'https://pim.example.com/public/sheets/3q2-7wEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJo',
  }),
}
