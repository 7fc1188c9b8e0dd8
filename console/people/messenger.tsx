// The messenger: how daily summaries go to people. Contract 5 §7.
import { Button } from '../kit/button.tsx'
import { DeleteButton } from '../kit/deletion.tsx'
import { FormFoot } from '../kit/draft-form.tsx'
import { Form } from '../kit/form.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { ErrorBox, Shown } from '../kit/states.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole, useRead } from '../state/context.ts'
import { hinted, t } from '../words/place.ts'
import { moment } from '../words/words.ts'
import { MessengerFields } from './messenger-fields.tsx'
import { PeopleNav } from './people-nav.tsx'
import { type MessengerReply, useMessenger } from './use-messenger.ts'

export function Messenger() {
  const query = useRead('messenger', 'GET /api/v1/messenger')
  return (
    <>
      <PlaceHead title={t('people.messenger')}>
        <PeopleNav />
      </PlaceHead>
      <Shown query={query}>
        {(reply) => (
          <MessengerForm
            key={reply.messenger === null ? 'none' : 'set'}
            reply={reply}
            onSaved={(saved) => query.put(saved)}
            onRemoved={() => void query.refresh()}
          />
        )}
      </Shown>
    </>
  )
}

interface MessengerFormProps {
  readonly reply: MessengerReply
  readonly onSaved: (reply: MessengerReply) => void
  readonly onRemoved: () => void
}

function MessengerForm({ reply, onSaved, onRemoved }: MessengerFormProps) {
  const { call } = useConsole()
  const draft = useMessenger(reply, onSaved)
  const { type, saving, isChanged } = draft
  const fault = draft.isFaulty ? t('messenger.noJson') : undefined
  return (
    <div class="page">
      <Form class="form" onSubmit={draft.save}>
        <section>
          <p class="hint">{t('messenger.help')}</p>
          <State reply={reply} />
          <SelectField
            {...hinted('messenger.type', 'hint.people.messenger')}
            value={type}
            choices={reply.types.map((one) => ({ id: one.type, name: one.title }))}
            onChange={draft.choose}
          />
          <MessengerFields draft={draft} />
        </section>
        {saving.error !== undefined && <ErrorBox error={saving.error} />}
        <FormFoot
          action={t('save')}
          isBusy={saving.isBusy}
          closedBecause={isChanged ? fault : t('messenger.unchanged')}
          end={
            reply.messenger !== null && (
              <DeleteButton
                name={t('people.messenger')}
                help={t('messenger.removeHelp')}
                remove={() => call('DELETE /api/v1/messenger')}
                onDone={onRemoved}
              />
            )
          }
        >
          {!isChanged && <Trial draft={draft} />}
        </FormFoot>
        {draft.tried !== undefined && (
          <p class={draft.tried.ok ? 'hint' : 'warning'} role="status">
            {t(`messenger.${draft.tried.ok ? 'sent' : 'failed'}`, draft.tried)}
          </p>
        )}
      </Form>
    </div>
  )
}

/** The result of the last message. */
function State({ reply: { messenger } }: { readonly reply: MessengerReply }) {
  if (messenger === null) return null
  const { lastFailure, lastSentAt } = messenger
  return (
    <>
      {lastFailure !== null && (
        <p class="warning">{t('messenger.failed', { time: moment(lastFailure.at), message: lastFailure.message })}</p>
      )}
      {lastSentAt !== null && <p class="hint">{t('messenger.sent', { time: moment(lastSentAt) })}</p>}
    </>
  )
}

/** Sends a trial message to the address of the administrator, who may have none yet. */
function Trial({ draft }: { readonly draft: ReturnType<typeof useMessenger> }) {
  const query = useRead('notice settings', 'GET /api/v1/notices/settings')
  if ((query.data.value?.email ?? null) === null)
    return <a href={writeAddress({ place: 'account' })}>{t('messenger.addEmail')}</a>
  return (
    <Button isBusy={draft.trial.isBusy} onClick={() => void draft.tryIt()}>
      {t('messenger.try')}
    </Button>
  )
}
