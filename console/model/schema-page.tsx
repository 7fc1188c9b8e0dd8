// One schema: attributes, groups and combinations. All changes are applied together, after the user has seen their
// effect. Contract 2 §3, 3 §2, 3 §7.
import { useState } from 'preact/hooks'
import { PlaceHead } from '../kit/place-head.tsx'
import { Shown } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useConsole, useRead } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import type { Job } from '../state/jobs.ts'
import { t } from '../words/place.ts'
import { ApplyHead, aboveOf } from './apply-head.tsx'
import { Attributes } from './attributes.tsx'
import { Combinations } from './combinations.tsx'
import { countChanges, draftOf, type SchemaDraft, type StoredSchema } from './definition.ts'
import { Groups } from './groups.tsx'
import { SchemaFacts } from './schema-facts.tsx'

export function SchemaPage() {
  const { router } = useConsole()
  const [id] = useState(router.id.peek() ?? '')
  const query = useRead(`model schema ${id}`, 'GET /api/v1/schemas/:id', { params: { id } })
  const schema = query.data.value
  return (
    <>
      {schema === undefined && <PlaceHead title={id} above={aboveOf('schemas')} />}
      <Shown query={query}>{(stored) => <SchemaEditor schema={stored} />}</Shown>
    </>
  )
}

function SchemaEditor({ schema }: { readonly schema: StoredSchema }) {
  const { call, model, router } = useConsole()
  const stored = draftOf(schema)
  const draft = useFormDraft<SchemaDraft>(`schema ${schema.id}`, stored)
  const count = countChanges(stored, draft.value)
  const mayWrite = model.may('model.write')
  const params = { id: schema.id }
  const apply = async (dropValues: boolean): Promise<Job | undefined> => {
    const query = dropValues ? { dropValues } : {}
    const answer = await call('PUT /api/v1/schemas/:id', { params, query, body: draft.value })
    return answer.status === 202 ? (answer.body as Job) : undefined
  }
  const parts = { stored, draft, mayWrite }
  const tab = router.query.value['tab'] ?? 'attributes'
  return (
    <>
      <ApplyHead
        place="schemas"
        title={model.nameOf(draft.value)}
        item={schema}
        draft={{ ...draft, isChanged: count > 0 }}
        action={t('model.apply', { count })}
        remove={() => call('DELETE /api/v1/schemas/:id', { params })}
        preview={async () => (await call('POST /api/v1/schemas/:id/preview', { params, body: draft.value })).body}
        apply={apply}
      />
      <Tabs
        label={schema.name}
        tabs={[
          { id: 'attributes', title: t('model.attributes'), count: draft.value.attributes.length },
          { id: 'groups', title: t('model.groups'), count: draft.value.groups?.length ?? 0 },
          { id: 'combinations', title: t('model.combinations') },
          { id: 'schema', title: t('schema') },
        ]}
        open={tab}
        onOpen={(id) => router.setQuery({ tab: id === 'attributes' ? undefined : id })}
      >
        {tab === 'attributes' && <Attributes {...parts} />}
        {tab === 'groups' && <Groups {...parts} />}
        {tab === 'combinations' && <Combinations {...parts} />}
        {tab === 'schema' && <SchemaFacts {...parts} />}
      </Tabs>
    </>
  )
}
