// Rules for every row: the schema, the match with records, the handling of records and empty cells, and the profile.
import { SelectField } from '../kit/select-field.tsx'
import { useConsole } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import { draftOfProfile, type Import, type MappingDraft, matchable, type Profile, withSchema } from './mapping.ts'

export interface PartProps {
  readonly draft: MappingDraft
  readonly put: (changes: Partial<MappingDraft>) => void
  readonly found: Import
}

export function RuleFields({ draft, put, found, profiles }: PartProps & { readonly profiles: readonly Profile[] }) {
  const { model } = useConsole()
  const attributes = model.schema(draft.schemaId)?.attributes ?? []
  const keys = found.format === 'ndjson' ? attributes.filter(({ unique }) => unique) : matchable(draft, attributes)
  const modes = (['create', 'upsert', 'update'] as const).map((id) => ({ id, name: t(`imports.mode.${id}`) }))
  return (
    <div class="rules">
      {profiles.length > 0 && (
        <SelectField
          {...hinted('imports.profile')}
          value={draft.profileId ?? ''}
          choices={[{ id: '', name: t('none') }, ...profiles]}
          onChange={(id) => {
            const profile = profiles.find((one) => one.id === id)
            put(profile === undefined ? { profileId: null } : draftOfProfile(profile, found.columns, id))
          }}
        />
      )}
      <SelectField
        {...hinted('schema', 'hint.imports.schema')}
        value={draft.schemaId}
        choices={[
          ...(draft.schemaId === '' ? [{ id: '', name: t('choose') }] : []),
          ...model.schemas.value.map((schema) => ({ id: schema.id, name: model.nameOf(schema) })),
        ]}
        onChange={(id) => put(withSchema(draft, id, model.schema(id)?.attributes ?? []))}
      />
      <SelectField
        {...hinted('imports.matchBy', 'imports.matchByHelp')}
        value={draft.matchBy ?? ''}
        choices={[
          { id: '', name: t('imports.byId') },
          ...keys.map((attribute) => ({ id: attribute.alias, name: model.nameOf(attribute) })),
        ]}
        onChange={(alias) => put({ matchBy: alias === '' ? null : alias })}
      />
      <SelectField
        {...hinted('imports.mode')}
        value={draft.mode}
        choices={modes}
        onChange={(id) => put({ mode: id as MappingDraft['mode'] })}
      />
      {found.format !== 'ndjson' && (
        <SelectField
          {...hinted('imports.emptyCells')}
          value={draft.emptyCells}
          choices={[
            { id: 'keep', name: t('imports.empty.keep') },
            { id: 'clear', name: t('imports.empty.clear') },
          ]}
          onChange={(id) => put({ emptyCells: id === 'clear' ? 'clear' : 'keep' })}
        />
      )}
    </div>
  )
}
