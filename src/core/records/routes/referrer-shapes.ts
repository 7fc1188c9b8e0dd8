// The values that name a record, as clients see them. Contract 2 §3.
import * as v from 'valibot'
import { parseScopeKey } from '../../scopes/scope.ts'
import type { Referrer } from '../rules/referrer.ts'
import { ScopeShape } from './record-shapes.ts'

const ReferrerShape = v.object({
  recordId: v.pipe(v.string(), v.description('The record with the value.')),
  schemaId: v.string(),
  attributeAlias: v.string(),
  scope: ScopeShape,
})

export const ReferrerPageShape = v.object({ items: v.array(ReferrerShape) })

export function toReferrerBody({ recordId, schemaId, alias, scope }: Referrer) {
  return { recordId, schemaId, attributeAlias: alias, scope: parseScopeKey(scope) }
}
