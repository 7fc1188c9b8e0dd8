// The settings of a messenger by its type: mail, webhook, or JSON for the type of a plugin. Contract 5 §7.
import { useState } from 'preact/hooks'
import { own } from '../../src/kernel/own.ts'
import { PairsField } from '../fields/pairs-field.tsx'
import { TextField } from '../kit/field.tsx'
import { NumberField } from '../kit/number-field.tsx'
import { SelectField } from '../kit/select-field.tsx'
import { TextArea } from '../kit/text-area.tsx'
import { hinted, t } from '../words/place.ts'
import { type MessengerDraft, textOf, textsOf } from './use-messenger.ts'

type FieldsProps = { readonly draft: MessengerDraft }

export function MessengerFields({ draft }: FieldsProps) {
  if (draft.type === 'mail') return <MailFields draft={draft} />
  if (draft.type === 'webhook') return <WebhookFields draft={draft} />
  return <PluginFields key={`${draft.type} ${draft.saves}`} draft={draft} />
}

const SECURITIES = ['tls', 'starttls', 'none'] as const

function MailFields({ draft: { config, put } }: FieldsProps) {
  const value = (key: string) => textOf(own(config, key))
  return (
    <>
      <TextField
        {...hinted('messenger.host', 'messenger.hostHelp')}
        value={value('host')}
        isRequired
        onInput={(host) => put({ host })}
      />
      <SelectField
        {...hinted('messenger.security', 'messenger.securityHelp')}
        value={value('security') || 'tls'}
        choices={SECURITIES.map((id) => ({ id, name: t(`messenger.security.${id}`) }))}
        onChange={(security) => put({ security })}
      />
      <NumberField
        {...hinted('setting.port', 'messenger.portHelp')}
        value={own(config, 'port') as number | undefined}
        checks={{ min: 1, max: 65535 }}
        onInput={(port) => put({ port })}
      />
      <TextField
        {...hinted('signIn.username', 'messenger.usernameHelp')}
        value={value('username')}
        onInput={(username) => put({ username })}
      />
      <TextField
        {...hinted('signIn.password', 'messenger.secretHelp')}
        type="password"
        value={value('password')}
        onInput={(password) => put({ password })}
      />
      <TextField
        {...hinted('messenger.from', 'messenger.fromHelp')}
        value={value('from')}
        isRequired
        onInput={(from) => put({ from })}
      />
    </>
  )
}

function WebhookFields({ draft: { config, saves, put } }: FieldsProps) {
  return (
    <>
      <TextField
        {...hinted('setting.url', 'messenger.urlHelp')}
        value={textOf(config['url'])}
        isRequired
        onInput={(url) => put({ url })}
      />
      <TextField
        {...hinted('setting.signingSecret', 'messenger.secretHelp')}
        type="password"
        value={textOf(config['signingSecret'])}
        onInput={(signingSecret) => put({ signingSecret })}
      />
      <PairsField
        key={saves}
        {...hinted('setting.headers', 'messenger.headersHelp')}
        example={['Authorization', 'Bearer …']}
        pairs={textsOf(own(config, 'headers'))}
        onChange={(headers) => put({ headers: Object.keys(headers).length === 0 ? undefined : headers })}
      />
    </>
  )
}

function PluginFields({ draft: { config, isFaulty, replace } }: FieldsProps) {
  const [text, setText] = useState(() => JSON.stringify(config, null, 2))
  const read = (typed: string) => {
    setText(typed)
    replace(parse(typed))
  }
  return (
    <TextArea
      {...hinted('messenger.json', 'messenger.jsonHelp')}
      rows={8}
      value={text}
      error={isFaulty ? t('messenger.noJson') : undefined}
      onInput={read}
    />
  )
}

/** Parses a text; undefined: it is no JSON object. */
function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
