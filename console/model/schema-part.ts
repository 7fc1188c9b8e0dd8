// The props of each part of a schema's screen.
import type { FormDraft } from '../state/form-draft.ts'
import type { SchemaDraft } from './definition.ts'

export interface SchemaPartProps {
  readonly stored: SchemaDraft
  readonly draft: FormDraft<SchemaDraft>
  readonly mayWrite: boolean
}
