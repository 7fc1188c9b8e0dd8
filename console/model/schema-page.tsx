// One schema: attributes, groups and combinations. All changes are applied together, after the user has seen their
// effect. Contract 2 §3, 3 §2, 3 §7.
import { useState } from 'preact/hooks'
import { EditHead } from '../kit/edit-head.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { useSaveKey } from '../kit/save-key.ts'
import { Shown } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { useConsole, useRead } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import type { Job } from '../state/jobs.ts'
import { t } from '../words/place.ts'
import { ApplyDialog } from './apply.tsx'
import { Attributes } from './attributes.tsx'
import { Combinations } from './combinations.tsx'
import { countChanges, draftOf, type SchemaDraft, type StoredSchema } from './definition.ts'
import { Groups } from './groups.tsx'
import { SchemaFacts } from './schema-facts.tsx'
import { writeAddress } from '../state/addresses.ts'

export function SchemaPage() {
  const { router } = useConsole()
  const [id] = useState(router.id.peek() ?? '')
  const query = useRead(`model schema ${id}`, 'GET /api/v1/schemas/:id', { params: { id } })
  const schema = query.data.value
  return (
    <>
      {schema === undefined && <PlaceHead title={id} crumbs={crumbs()} />}
      <Shown query={query}>{(stored) => <SchemaEditor schema={stored} />}</Shown>
    </>
  )
}

const crumbs = () => [{ title: t('model.schemas'), href: writeAddress({ place: 'schemas' }) }]

function SchemaEditor({ schema }: { readonly schema: StoredSchema }) {
  const { call, cache, model, router } = useConsole()
  const stored = draftOf(schema)
  const draft = useFormDraft<SchemaDraft>(`schema ${schema.id}`, stored)
  const [isApplying, setApplying] = useState(false)
  const count = countChanges(stored, draft.value)
  const mayWrite = model.may('model.write')
  const params = { id: schema.id }
  useSaveKey(() => count > 0 && setApplying(true))
  const apply = async (dropValues: boolean): Promise<Job | undefined> => {
    const query = dropValues ? { dropValues } : {}
    const answer = await call('PUT /api/v1/schemas/:id', { params, query, body: draft.value })
    return answer.status === 202 ? (answer.body as Job) : undefined
  }
  const parts = { stored, draft, mayWrite }
  const tab = router.query.value['tab'] ?? 'attributes'
  return (
    <>
      <EditHead
        title={model.nameOf(draft.value)}
        crumbs={crumbs()}
        id={schema.id}
        draft={{ ...draft, isChanged: count > 0 }}
        main={
          mayWrite
            ? {
                title: t('model.apply', { count }),
                closedBecause: count === 0 ? t('form.nothingChanged') : undefined,
                onClick: () => setApplying(true),
              }
            : undefined
        }
        deletion={
          mayWrite
            ? {
                name: schema.name,
                remove: () => call('DELETE /api/v1/schemas/:id', { params }),
                onDone: async () => {
                  router.go({ place: 'schemas' })
                  await model.load()
                  cache.refreshAll('model schemas')
                },
              }
            : undefined
        }
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
      {isApplying && (
        <ApplyDialog
          change={{
            preview: async () => (await call('POST /api/v1/schemas/:id/preview', { params, body: draft.value })).body,
            apply,
            onDone: draft.drop,
          }}
          onClose={() => setApplying(false)}
        />
      )}
    </>
  )
}
