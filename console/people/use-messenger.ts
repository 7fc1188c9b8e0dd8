// The edited settings of the messenger; saves and tries them. Contract 5 §7.
import { useState } from 'preact/hooks'
import { own } from '../../src/kernel/own.ts'
import { useActing, useSaving } from '../kit/acting.ts'
import type { Endpoints } from '../api/types.ts'
import { useConsole } from '../state/context.ts'
import { t } from '../words/place.ts'
import { moment } from '../words/words.ts'

export type MessengerReply = Endpoints['GET /api/v1/messenger']['reply']
type Config = Readonly<Record<string, unknown>>

const BEGINNING: Readonly<Record<string, Config>> = { mail: { security: 'tls' }, webhook: {} }

export function useMessenger({ messenger }: MessengerReply, onSaved: (reply: MessengerReply) => void) {
  const { browser, call, status } = useConsole()
  const saving = useSaving()
  const trial = useActing()
  const [type, setType] = useState(messenger?.type ?? 'mail')
  const [config, setConfig] = useState<Config>(messenger?.config ?? own(BEGINNING, type) ?? {})
  /** The number of saves: after a save, typed secrets are no longer shown. */
  const [saves, setSaves] = useState(0)
  const [isChanged, setChanged] = useState(messenger === null)
  /** The typed settings are no JSON object. */
  const [isFaulty, setFaulty] = useState(false)
  const [tried, setTried] = useState<
    { readonly ok: boolean; readonly message: string; readonly time: string } | undefined
  >(undefined)
  const touch = () => {
    saving.forgetError()
    setTried(undefined)
    setChanged(true)
  }
  return {
    type,
    config,
    saving,
    trial,
    tried,
    isChanged,
    isFaulty,
    saves,
    choose: (next: string) => {
      touch()
      setType(next)
      setFaulty(false)
      setConfig(messenger?.type === next ? messenger.config : (own(BEGINNING, next) ?? {}))
    },
    put: (changes: Config) => {
      touch()
      setConfig(withoutEmpty({ ...config, ...changes }))
    },
    /** @param whole undefined: a fault */
    replace: (whole: Config | undefined) => {
      touch()
      setFaulty(whole === undefined)
      if (whole !== undefined) setConfig(whole)
    },
    save: () =>
      saving.act(async () => {
        const { body } = await call('PUT /api/v1/messenger', { body: { type, config } })
        setConfig(body.messenger!.config)
        setChanged(false)
        setSaves((before) => before + 1)
        onSaved(body)
        status.tell(t('messenger.saved'))
      }),
    tryIt: () =>
      trial.act(async () => {
        const { body } = await call('POST /api/v1/messenger/check')
        setTried({ ...body, time: moment(browser.now()) })
      }),
  }
}

export type MessengerDraft = ReturnType<typeof useMessenger>

/** An emptied field is left out. */
function withoutEmpty(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== '' && value !== undefined))
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The members of an object that are texts. */
export function textsOf(value: unknown): Readonly<Record<string, string>> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'))
}
