// The records of the feed, beyond schema, state and catalog: all, those of a saved query, or those of filters.
import type { Selection } from '../../src/core/search/rules/selection.ts'
import { CriteriaField } from '../kit/criteria-field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { useRead } from '../state/context.ts'
import { NO_CRITERIA } from '../state/panel-props.ts'
import { hinted, t } from '../words/place.ts'
import type { JobDraft } from './job-draft.ts'
import type { PartProps } from './job-draft.ts'

/** Never the ID of a saved query. */
const OWN = '*'

export function SelectionField({ draft, put }: PartProps) {
  const query = useRead('exports queries', 'GET /api/v1/saved-queries')
  const { selection } = draft
  const own = ownOf(selection)
  const chosen = selection === null ? '' : own === undefined ? savedIdOf(selection) : OWN
  const queries = query.data.value ?? []
  return (
    <>
      <SelectField
        {...hinted('exports.selection')}
        value={chosen}
        choices={[
          { id: '', name: t('all') },
          { id: OWN, name: t('exports.ownCriteria') },
          ...queries.map(({ id, name }) => ({ id, name })),
        ]}
        onChange={(id) => put({ selection: id === '' ? null : id === OWN ? NO_CRITERIA : { savedQueryId: id } })}
      />
      {own !== undefined && (
        <CriteriaField
          label={t('exports.ownCriteria')}
          schemaId={draft.schemaId ?? ''}
          scope={draft.dimensionScope ?? {}}
          selection={own}
          onChange={(next) => put({ selection: next })}
        />
      )}
    </>
  )
}

function ownOf(selection: JobDraft['selection']): Selection | undefined {
  return selection !== null && 'criteria' in selection ? (selection as unknown as Selection) : undefined
}

function savedIdOf(selection: NonNullable<JobDraft['selection']>): string {
  return 'savedQueryId' in selection ? selection.savedQueryId : ''
}
