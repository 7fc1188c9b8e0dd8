// The body of a template of product sheets, in the form that its page edits.
import type { CallOptions } from '../api/call.ts'
import type { Endpoints } from '../api/types.ts'

export type TemplateBody = NonNullable<CallOptions<'POST /api/v1/sheet-templates'>['body']>
type Template = Endpoints['GET /api/v1/sheet-templates/:id']['reply']

/** Replaces the ID in the address of a new template. */
export const NEW = 'new'

export function newTemplate(schemaId: string): TemplateBody {
  return { name: '', schemaId, sections: [{ heading: '', attributeAliases: [] }], pictures: [] }
}

export function toBody({ createdAt: _created, updatedAt: _updated, ...body }: Template): TemplateBody {
  return body
}

export interface TemplatePartProps {
  readonly value: TemplateBody
  readonly put: (changes: Partial<TemplateBody>) => void
}
