// The mapping of a zip as a draft. Pure. Contract 4 §4.
import type { Attribute } from '../../src/core/model/rules/attributes.ts'
import { DEFAULT_PATTERN } from '../../src/imports/rules/zip-pattern.ts'
import type { Import, MappingDraft } from './mapping.ts'

export interface ZipDraft {
  readonly schemaId: string
  readonly matchBy: string
  readonly attributeAlias: string
  readonly pattern: string
  readonly mode: 'append' | 'replace'
}

interface ShownSchema {
  readonly id: string
  readonly imageAttribute?: string | undefined
  readonly attributes: readonly Attribute[]
}

/** Returns the stored mapping, or else the first schema whose records name pictures, with its first unique attribute. */
export function zipDraftOf({ mapping }: Import, schemas: readonly ShownSchema[]): ZipDraft {
  if (mapping !== null && 'attributeAlias' in mapping) {
    const { schemaId, matchBy, attributeAlias, pattern, mode } = mapping
    return { schemaId, matchBy, attributeAlias, pattern: pattern ?? DEFAULT_PATTERN, mode: mode ?? 'append' }
  }
  const pictured = schemas.find(({ imageAttribute, attributes }) =>
    attributes.some(({ alias, dataType }) => alias === imageAttribute && dataType === 'references'),
  )
  return {
    schemaId: pictured?.id ?? '',
    matchBy: pictured?.attributes.find(({ unique }) => unique)?.alias ?? 'id',
    attributeAlias: pictured?.imageAttribute ?? '',
    pattern: DEFAULT_PATTERN,
    mode: 'append',
  }
}

/** Returns a mapping without columns, for the steps that files with columns also have. */
export function withoutColumns({ schemaId }: ZipDraft): MappingDraft {
  return { schemaId, mode: 'update', matchBy: null, emptyCells: 'keep', profileId: null, columns: [], others: [] }
}
