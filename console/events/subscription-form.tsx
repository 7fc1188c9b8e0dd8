// The form of a subscription. The tab keeps typed values until they are saved, except secrets. Contract 3 §6.
import { useState } from 'preact/hooks'
import type { Selection } from '../../src/core/search/rules/selection.ts'
import { EVENT_TYPES } from '../../src/events/rules/event-type.ts'
import { CriteriaField } from '../kit/criteria-field.tsx'
import { useSaving } from '../kit/acting.ts'
import { Button } from '../kit/button.tsx'
import { Checkbox, TextField } from '../kit/field.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { IdsField } from '../kit/ids-field.tsx'
import { DraftForm } from '../kit/draft-form.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { useConsole } from '../state/context.ts'
import { useFormDraft } from '../state/form-draft.ts'
import { NO_CRITERIA } from '../state/panel-props.ts'
import { hinted, t } from '../words/place.ts'
import { isKept, type TypedSecrets } from '../kit/config.ts'
import { NamesField } from '../kit/names-field.tsx'
import { SecretField } from '../kit/secret-field.tsx'
import { bodyOf, draftOf, NEW, secretsOf, type Subscription, type SubscriptionDraft } from './subscription.ts'

export function SubscriptionForm({ found }: { readonly found: Subscription | undefined }) {
  const { call, cache, router, status } = useConsole()
  const draft = useFormDraft<SubscriptionDraft>(
    `subscription ${found?.id ?? 'new'}`,
    found === undefined ? NEW : draftOf(found),
  )
  const [typed, setTyped] = useState<TypedSecrets>({})
  const { isBusy, error, act } = useSaving()
  const { value, put } = draft
  const closedBecause = whyClosed(value)
  const save = () =>
    act(async () => {
      const body = bodyOf(value, typed)
      const saved =
        found === undefined
          ? await call('POST /api/v1/subscriptions', { body: body as never })
          : await call('PUT /api/v1/subscriptions/:id', { params: { id: found.id }, body })
      draft.drop()
      cache.refreshAll('subscription')
      status.tell(t('form.saved', { name: saved.body.name }))
      router.go({ place: 'subscriptions', id: saved.body.id })
    })
  const giveUp = () => {
    draft.drop()
    router.go({ place: 'subscriptions', id: found?.id ?? null })
  }
  return (
    <>
      <PlaceHead
        title={found === undefined ? t('events.add') : t('form.editTitle', { name: found.name })}
        above={{ title: t('place.subscriptions'), place: 'subscriptions' }}
      />
      <DraftForm
        class="page form halves"
        draft={draft}
        action={t('save')}
        isBusy={isBusy}
        error={error}
        closedBecause={closedBecause}
        onSubmit={save}
        buttons={<Button onClick={giveUp}>{draft.isChanged ? t('discard') : t('cancel')}</Button>}
      >
        <div>
          <WhatFields value={value} put={put} />
        </div>
        <div>
          <section>
            <h2>{t('events.how')}</h2>
            <NumberField
              {...hinted('events.batch', 'events.batchHelp')}
              value={value.batchSize}
              isRequired
              checks={{ min: 1, max: 100 }}
              onInput={(batchSize) => put({ batchSize: batchSize! })}
            />
            <SecretFields value={value} put={put} typed={typed} onTyped={setTyped} />
            <Checkbox
              {...hinted('form.active', 'hint.events.active')}
              isChecked={value.active}
              onChange={(active) => put({ active })}
            />
          </section>
        </div>
      </DraftForm>
    </>
  )
}

interface SecretFieldsProps extends PartProps {
  readonly typed: TypedSecrets
  readonly onTyped: (typed: TypedSecrets) => void
}

function SecretFields({ value, put, typed, onTyped }: SecretFieldsProps) {
  const config = secretsOf(value)
  const { signingSecret = '' } = typed
  return (
    <>
      <NamesField
        field={{ key: 'headers', title: t('setting.headers'), hint: t('setting.webhook.headers'), isSecret: true }}
        config={config}
        typed={typed}
        onConfig={put}
        onTyped={onTyped}
      />
      <SecretField
        {...hinted('setting.signingSecret', 'setting.webhook.signingSecret')}
        isKept={isKept(config, 'signingSecret')}
        value={signingSecret}
        onInput={(text) => onTyped({ ...typed, signingSecret: text })}
        onRemove={value.signingSecret === null ? undefined : () => put({ signingSecret: null })}
      />
    </>
  )
}

function whyClosed({ name, url, events }: SubscriptionDraft): string | undefined {
  if (name.trim() === '') return t('form.nameFirst')
  if (url.trim() === '') return t('events.urlFirst')
  return events.length === 0 ? t('events.eventFirst') : undefined
}

interface PartProps {
  readonly value: SubscriptionDraft
  readonly put: (changes: Partial<SubscriptionDraft>) => void
}

function WhatFields({ value, put }: PartProps) {
  const { model } = useConsole()
  const { events, schemaIds, selection } = value
  const schemas = model.schemas.value.map((schema) => ({ id: schema.id, name: model.nameOf(schema) }))
  return (
    <section>
      <h2>{t('events.what')}</h2>
      <TextField label={t('name')} value={value.name} isRequired hasFocus onInput={(name) => put({ name })} />
      <TextField
        {...hinted('events.url', 'events.urlHelp')}
        value={value.url}
        isRequired
        onInput={(url) => put({ url })}
      />
      <fieldset class="setting-names">
        <legend>{t('events.events')}</legend>
        {EVENT_TYPES.map((event) => (
          <Checkbox
            key={event}
            label={t(`events.of.${event}`)}
            isChecked={events.includes(event)}
            onChange={(isIn) =>
              put({ events: EVENT_TYPES.filter((one) => (one === event ? isIn : events.includes(one))) })
            }
          />
        ))}
      </fieldset>
      <IdsField
        {...hinted('events.schemas', 'events.schemasHelp')}
        options={schemas}
        ids={schemaIds ?? []}
        onChange={(ids) => put({ schemaIds: ids.length === 0 ? null : ids })}
      />
      <Checkbox
        {...hinted('events.someRecords')}
        isChecked={selection !== null}
        onChange={(isOn) => put({ selection: isOn ? NO_CRITERIA : null })}
      />
      {selection !== null && (
        <CriteriaField
          label={t('events.someRecords')}
          schemaId={schemaIds?.length === 1 ? schemaIds[0]! : ''}
          scope={{}}
          selection={selection as unknown as Selection}
          onChange={(next) => put({ selection: next })}
        />
      )}
    </section>
  )
}
