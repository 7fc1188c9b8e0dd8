// Headers and the signing secret: the page never contains stored secrets; typing replaces them. Contract 3 §9.5.
import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { hinted, t } from '../words/place.ts'
import { isKept, SIGNING, type SubscriptionDraft, type TypedSecrets } from './subscription.ts'
import { own } from '../../src/kernel/own.ts'

interface SecretFieldsProps {
  readonly value: SubscriptionDraft
  readonly put: (changes: Partial<SubscriptionDraft>) => void
  readonly typed: TypedSecrets
  readonly onTyped: (typed: TypedSecrets) => void
}

export function SecretFields({ value, put, typed, onTyped }: SecretFieldsProps) {
  const [name, setName] = useState('')
  const names = [...new Set([...Object.keys(value.headers), ...Object.keys(typed)])].filter((one) => one !== SIGNING)
  const without = (one: string) => {
    const { [one]: _header, ...headers } = value.headers
    put({ headers })
    onTyped(Object.fromEntries(Object.entries(typed).filter(([key]) => key !== one)))
  }
  return (
    <>
      <fieldset class="setting-names">
        <legend>{t('events.headers')}</legend>
        {names.map((one) => (
          <Secret
            key={one}
            label={one}
            isKept={isKept(own(value.headers, one))}
            value={own(typed, one) ?? ''}
            onInput={(text) => onTyped({ ...typed, [one]: text })}
            onForget={() => without(one)}
          />
        ))}
        <div class="row">
          <TextField {...hinted('events.header')} value={name} onInput={setName} />
          <Button
            closedBecause={name.trim() === '' ? t('form.nameFirst') : undefined}
            onClick={() => {
              onTyped({ ...typed, [name.trim()]: '' })
              setName('')
            }}
          >
            {t('add')}
          </Button>
        </div>
      </fieldset>
      <Secret
        {...hinted('setting.signingSecret', 'events.secretHelp')}
        isKept={isKept(value.signingSecret)}
        value={typed[SIGNING] ?? ''}
        onInput={(text) => onTyped({ ...typed, [SIGNING]: text })}
        onForget={() => put({ signingSecret: null })}
      />
    </>
  )
}

function Secret(props: {
  readonly label: string
  readonly hint?: string
  readonly isKept: boolean
  readonly value: string
  readonly onInput: (text: string) => void
  readonly onForget: () => void
}) {
  return (
    <div class="secret">
      <TextField {...props} type="password" {...(props.isKept ? { placeholder: t('events.isSet') } : {})} />
      <Button kind="quiet" icon="delete" label={t('remove', { name: props.label })} onClick={props.onForget} />
    </div>
  )
}
