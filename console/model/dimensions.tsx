// Dimensions, by which values differ, with their segments. Contract 2 §3, 3 §7.
import { useState } from 'preact/hooks'
import { useActing } from '../kit/acting.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { DeleteButton } from '../kit/deletion.tsx'
import { TextField } from '../kit/field.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, Shown } from '../kit/states.tsx'
import { Form } from '../kit/form.tsx'
import type { Endpoints } from '../api/types.ts'
import { useConsole, useRead } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { t } from '../words/place.ts'
import { ApplyDialog } from './apply.tsx'
import { idOf } from './definition.ts'
import { ModelNav } from './model-nav.tsx'
import { NamedList } from './named-list.tsx'
import { writeAddress } from '../state/addresses.ts'

type Dimension = Endpoints['GET /api/v1/dimensions/:id']['reply']

export function Dimensions() {
  const { model, router } = useConsole()
  const query = useRead('model dimensions', 'GET /api/v1/dimensions')
  const mayWrite = model.may('model.write')
  const isNew = router.query.value['new'] !== undefined && mayWrite
  const add = (
    <LinkButton href={writeAddress({ place: 'dimensions', query: { new: '1' } })} kind="main" icon="add">
      {t('start.addDimension')}
    </LinkButton>
  )
  return (
    <>
      <PlaceHead title={t('model.dimensions')} actions={mayWrite && !isNew && add}>
        <ModelNav />
      </PlaceHead>
      <Shown query={query}>
        {(dimensions) => (
          <div class="page sections">
            {isNew && <NewDimension />}
            {dimensions.length === 0 && !isNew && (
              <Empty icon="model" title={t('model.noDimensions')} action={mayWrite && add}>
                <p>{t('model.noDimensionsHelp')}</p>
              </Empty>
            )}
            {dimensions.map((dimension) => (
              <DimensionForm key={dimension.id} dimension={dimension} mayWrite={mayWrite} />
            ))}
          </div>
        )}
      </Shown>
    </>
  )
}

const NEW: Dimension = { id: '', name: '', segments: [] }

function NewDimension() {
  const { call, cache, model, router, status } = useConsole()
  const { isBusy, act } = useActing()
  const draft = useFormDraft<Dimension>('dimension new', NEW)
  const { value, put } = draft
  const isReady = value.name.trim() !== '' && value.segments.length > 0
  const leave = () => {
    draft.drop()
    router.setQuery({ new: undefined })
  }
  const save = () =>
    act(async () => {
      const id = value.id === '' ? idOf(value.name) : value.id
      await call('POST /api/v1/dimensions', { body: { ...value, ...(id === '' ? { id: undefined } : { id }) } })
      status.tell(t('model.applied'))
      leave()
      await model.load()
      cache.refreshAll('model ')
    })
  return (
    <Form class="boxed" onSubmit={save}>
      <h2>{t('start.addDimension')}</h2>
      <TextField label={t('name')} value={value.name} isRequired hasFocus onInput={(name) => put({ name })} />
      <h3>{t('model.segments')}</h3>
      <NamedList
        title={t('model.segments')}
        addTitle={t('model.addSegment')}
        items={value.segments}
        onChange={(segments) => put({ segments: [...segments] })}
      />
      <div class="row">
        <Button
          type="submit"
          kind="main"
          isBusy={isBusy}
          closedBecause={isReady ? undefined : t('model.dimensionNeeds')}
        >
          {t('save')}
        </Button>
        <Button onClick={leave}>{t('cancel')}</Button>
      </div>
    </Form>
  )
}

function DimensionForm({ dimension, mayWrite }: { readonly dimension: Dimension; readonly mayWrite: boolean }) {
  const { call, cache, model } = useConsole()
  const draft = useFormDraft<Dimension>(`dimension ${dimension.id}`, dimension)
  const [isApplying, setApplying] = useState(false)
  const { value, put } = draft
  const params = { id: dimension.id }
  const remove = () => call('DELETE /api/v1/dimensions/:id', { params })
  const renew = async () => {
    await model.load()
    cache.refreshAll('model ')
  }
  return (
    <section>
      <h2 class="row">
        <span class="grow" dir="auto">
          {model.nameOf(dimension)} <code class="quiet">{dimension.id}</code>
        </span>
        {draft.isChanged && <Button onClick={draft.drop}>{t('discard')}</Button>}
        {draft.isChanged && (
          <Button kind="main" onClick={() => setApplying(true)}>
            {t('apply')}
          </Button>
        )}
        {mayWrite && (
          <DeleteButton
            name={dimension.name}
            label={t('remove', { name: dimension.name })}
            remove={remove}
            onDone={renew}
          />
        )}
      </h2>
      {draft.isOutdated && <p class="warning">{t('form.outdated')}</p>}
      {mayWrite ? (
        <>
          <TextField label={t('name')} value={value.name} onInput={(name) => put({ name })} />
          <NamedList
            title={`${t('model.segments')} ${dimension.name}`}
            addTitle={t('model.addSegment')}
            items={value.segments}
            onChange={(segments) => put({ segments: [...segments] })}
          />
        </>
      ) : (
        <p>{dimension.segments.map((segment) => model.nameOf(segment)).join(', ')}</p>
      )}
      {isApplying && (
        <ApplyDialog
          change={{
            preview: async () => (await call('POST /api/v1/dimensions/:id/preview', { params, body: value })).body,
            apply: async () => void (await call('PUT /api/v1/dimensions/:id', { params, body: value })),
            onDone: draft.drop,
          }}
          onClose={() => setApplying(false)}
        />
      )}
    </section>
  )
}
