// Shapes of product sheets, their templates and links. Contract 5 §4.
import * as v from 'valibot'
import { exactObject } from '../../kernel/input/exact-object.ts'
import { Timestamp } from '../../kernel/input/validation.ts'
import { OwnerId } from '../../kernel/input/common-shapes.ts'
import { ScopeShape } from '../../core/scopes/scope.ts'
import { LanguageInput } from '../rules/sheet-template.ts'

const link = {
  id: v.string(),
  name: v.string(),
  recordIds: v.array(v.string()),
  templateId: v.nullable(v.string()),
  language: v.nullable(v.string()),
  scope: v.nullable(ScopeShape),
  ownerId: OwnerId,
  ownerKind: v.picklist(['user', 'apiKey']),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  visits: v.number(),
  lastVisitAt: v.nullable(Timestamp),
}

export const SheetLinkShape = v.object(link)
export const NewSheetLinkShape = v.object({
  ...link,
  url: v.pipe(v.string(), v.description('The address of the page. The server shows this address only once.')),
})

export const SheetQuery = exactObject({
  templateId: v.optional(v.string()),
  language: v.optional(LanguageInput),
  scope: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[^:,]+:[^:,]+(,[^:,]+:[^:,]+){0,15}$/,
        'must be pairs of dimension and segment such as language:de,market:eu',
      ),
      v.description('Pairs of dimension and segment, such as `language:de,market:eu`.'),
    ),
  ),
})

export const LinksQuery = exactObject({
  all: v.optional(v.pipe(v.boolean(), v.description('Links of everybody. Needs the permission `users.manage`.'))),
})

export function readScope(text: string | undefined): Record<string, string> | null {
  if (text === undefined) return null
  return Object.fromEntries(text.split(',').map((pair) => pair.split(':') as [string, string]))
}
