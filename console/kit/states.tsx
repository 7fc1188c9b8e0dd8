// The common states of every screen: empty, loading, failed, not permitted, changed elsewhere.
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect } from 'preact/hooks'
import { Refusal, Unreachable } from '../api/failures.ts'
import type { Query } from '../state/cache.ts'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { CopyText } from './copy.tsx'
import { failureText } from './failure-text.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

/** The message of an empty list: how to begin, with one action. */
export function Empty(props: {
  readonly icon?: IconName
  readonly title: string
  readonly children?: ComponentChildren
  readonly action?: ComponentChildren
}) {
  return (
    <div class="empty">
      {props.icon !== undefined && <Icon name={props.icon} />}
      <h2>{props.title}</h2>
      {props.children}
      {props.action}
    </div>
  )
}

/** The failure in a sentence and in the server's words. The ID of the request helps to find it in the server's log. */
export function ErrorBox({ error, onRetry }: { readonly error: Error; readonly onRetry?: (() => void) | undefined }) {
  const requestId = error instanceof Refusal ? error.requestId : ''
  return (
    <div class="error-box" role="alert">
      <Icon name="bad" />
      <div>
        <strong>{failureText(error)}</strong>
        {!(error instanceof Unreachable) && <p dir="auto">{error.message}</p>}
        <p class="row">
          {onRetry !== undefined && <Button onClick={onRetry}>{t('retry')}</Button>}
          {requestId !== '' && <CopyText text={requestId}>{t('requestId', { id: requestId })}</CopyText>}
        </p>
      </div>
    </div>
  )
}

export function NoPermission({ permission }: { readonly permission: string }) {
  return (
    <Empty icon="lock" title={t('noPermission', { permission })}>
      <p>{t('noPermissionHelp')}</p>
    </Empty>
  )
}

/** A bar of two pixels above loading content, shown after a moment; the old content stays. */
export function LoadingLine({ isBusy }: { readonly isBusy: boolean }) {
  return <div class={isBusy ? 'loading busy' : 'loading'} aria-hidden="true" />
}

/** Milliseconds between renewals: an import changes a thousand records a second. */
const LIVELY = 2000

/** Reads changes made elsewhere automatically. */
export function useLively(query: Query<unknown>, isLive = true): void {
  const hasChanged = query.changes.value > 0
  useEffect(() => {
    if (!isLive || !hasChanged) return undefined
    const timer = window.setTimeout(() => void query.refresh(), LIVELY)
    return () => window.clearTimeout(timer)
  }, [isLive, hasChanged])
}

/** True: the object in the surrounding `Shown` is removed, so that nothing can be saved. */
export const Gone = createContext(false)

/** The result of a query: its content, busy or not; its error; changes made elsewhere. */
export function Shown<Value>(props: {
  readonly query: Query<Value>
  readonly children: (value: Value) => ComponentChildren
  readonly class?: string
  /** True: changes made elsewhere are read automatically, for pages that nobody edits. */
  readonly isLive?: boolean
}) {
  const { query, isLive = false } = props
  const value = query.data.value
  const error = query.error.value
  // Another attempt would not find a removed object.
  const isGone = useContext(Gone) || (error instanceof Refusal && error.status === 404)
  const refresh = () => void query.refresh()
  useLively(query, isLive)
  return (
    <div class={`shown ${props.class ?? ''}`} aria-busy={query.isBusy.value ? 'true' : undefined}>
      <LoadingLine isBusy={query.isBusy.value} />
      {!isLive && error === undefined && <Changes query={query} />}
      {error !== undefined && <ErrorBox error={error} onRetry={isGone ? undefined : refresh} />}
      {value !== undefined && <Gone.Provider value={isGone}>{props.children(value)}</Gone.Provider>}
    </div>
  )
}

/** A small `2 changes`; a click applies them. */
export function Changes({ query }: { readonly query: Query<unknown> }) {
  const count = query.changes.value
  if (count === 0 || query.isBusy.value) return null
  return (
    <button type="button" class="stale" onClick={() => void query.refresh()}>
      <Icon name="redo" />
      {t('changes', { count })}
    </button>
  )
}
