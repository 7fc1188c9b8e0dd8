// The whole page: the sign-in, the loading of the workspace, or the frame.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Empty, ErrorBox, LoadingLine } from '../kit/states.tsx'
import { type Console, loadWorkspace } from '../state/console.ts'
import { ConsoleContext, useConsole } from '../state/context.ts'
import { PanelsContext } from '../state/panels.ts'
import { language, t } from '../words/words.ts'
import { Frame } from './frame.tsx'
import { PANELS } from './panels.ts'
import { Brand, SignIn } from './sign-in.tsx'

export function App({ console }: { readonly console: Console }) {
  return (
    <ConsoleContext.Provider value={console}>
      <PanelsContext.Provider value={PANELS}>
        <Page />
      </PanelsContext.Provider>
    </ConsoleContext.Provider>
  )
}

function Page() {
  const { session, preferences } = useConsole()
  const state = session.state.value
  const [theme, density] = [preferences.theme.value, preferences.density.value]
  useEffect(() => {
    const { documentElement } = document
    documentElement.lang = language.value
    documentElement.dataset['theme'] = theme
    documentElement.dataset['density'] = density
  }, [language.value, theme, density])
  if (state === 'asking') return <LoadingLine isBusy />
  if (state === 'out')
    return (
      <main class="sign-in-page">
        <SignIn />
      </main>
    )
  return (
    <>
      <Workspace />
      {state === 'over' && (
        <Dialog title={t('signIn.action')} class="sign-in-dialog">
          <p>{t('signIn.over')}</p>
          <SignIn username={session.user.value?.username} />
          <p class="hint">{t('signIn.other')}</p>
        </Dialog>
      )}
    </>
  )
}

function Workspace() {
  const console = useConsole()
  const { model, offline, session } = console
  const [error, setError] = useState<Error | undefined>(undefined)
  const load = () => {
    setError(undefined)
    loadWorkspace(console).catch(setError)
  }
  // Runs before the first paint, because the content waits for it. Runs again when the server is back.
  const isOffline = offline.isOffline.value
  useLayoutEffect(() => {
    if (!isOffline && model.workspace.peek() === null) load()
  }, [isOffline])
  if (error !== undefined)
    return (
      <main class="sign-in-page">
        <Brand />
        <ErrorBox error={error} onRetry={load} />
      </main>
    )
  if (model.me.value !== null && !model.may('records.read'))
    return (
      <main class="sign-in-page">
        <Brand />
        <Empty
          icon="lock"
          title={t('signIn.noRecords')}
          action={<Button onClick={() => void session.signOut()}>{t('signOut.action')}</Button>}
        />
      </main>
    )
  return model.workspace.value === null ? <LoadingLine isBusy /> : <Frame />
}
