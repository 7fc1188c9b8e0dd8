// The frame around every place: the bar of places on the left (at the bottom of a narrow page), the place, running
// jobs, messages.
import { createElement } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Avatar } from '../kit/avatar.tsx'
import { Icon } from '../kit/icon.tsx'
import { Mark } from '../kit/mark.tsx'
import { StatusList } from '../kit/status-list.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { usePanel } from '../state/panels.ts'
import { t } from '../words/words.ts'
import { CommandLine } from './command-line.tsx'
import { JobsFooter } from './jobs-footer.tsx'
import { PlaceContent } from './lazy-place.tsx'
import { keepFocus } from './kept-focus.ts'
import { listenToPage } from './page-events.ts'
import { usePlaceScroll } from './place-scroll.ts'
import { Kbd } from '../kit/kbd.tsx'
import { keyText } from '../state/keys.ts'
import { findPlace, type Place, PLACES } from './places.ts'
import { HELP_KEYS, type Over, useShellCommands } from './shell-commands.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'

/** The largest shown number: the bar has room for two digits. */
const MOST_SHOWN = 99

/** Places in the bar of a phone; a button opens the others. */
const COMMON: ReadonlySet<string> = new Set(['', 'records', 'exports', 'for-me', 'account'])

export function Frame() {
  const console = useConsole()
  const [over, setOver] = useState<Over>(undefined)
  useShellCommands(setOver)
  useEffect(() => listenToPage(console), [])
  useEffect(keepFocus, [])
  const scroll = usePlaceScroll()
  const keyHelp = usePanel('keys', over === 'keys')
  const close = () => setOver(undefined)
  return (
    <div class="frame">
      <Bar show={setOver} />
      <main {...scroll} class="place" data-region tabIndex={-1} aria-label={t('nav.content')}>
        <OfflineBar />
        <PlaceContent />
      </main>
      <JobsFooter jobs={console.jobs.list.value} />
      <StatusList />
      {over === 'commands' && <CommandLine onClose={close} />}
      {over === 'keys' && keyHelp !== undefined && createElement(keyHelp, { onClose: close })}
      {over === 'signOut' && <SignOutDialog onClose={close} />}
    </div>
  )
}

function Bar({ show }: { readonly show: (over: Over) => void }) {
  const { browser, model, preferences, router } = useConsole()
  const isFolded = preferences.isFolded.value
  const shown = PLACES.filter(({ bar, needs }) => bar !== undefined && (needs === undefined || model.may(needs)))
  const linksOf = (group: Place['bar']) =>
    shown.filter(({ bar }) => bar === group).map((place) => <BarLink key={place.path} place={place} />)
  const fold = t(isFolded ? 'nav.unfold' : 'nav.fold')
  const { place } = router.address.value
  const [openedAt, setOpenedAt] = useState<string | undefined>(undefined)
  const isOpen = openedAt === place
  return (
    <nav class={`bar${isFolded ? '' : ' words'}${isOpen ? ' open' : ''}`} aria-label={t('nav.places')} data-region>
      <div class="bar-brand" title={model.me.value?.workspace.name}>
        <Mark />
        <span dir="auto">{model.me.value?.workspace.name ?? 'pimlet'}</span>
      </div>
      {linksOf('work')}
      <span class="bar-gap" />
      <button type="button" class="bar-link" title={t('search')} onClick={() => show('commands')}>
        <Icon name="search" />
        <span>{t('search')}</span>
        <Kbd keys={keyText('ctrl+k', browser.isMac)} isHidden />
      </button>
      <button type="button" class="bar-link rare" title={t('keys.title')} onClick={() => show('keys')}>
        <Icon name="keys" />
        <span>{t('keys.title')}</span>
        <Kbd keys={keyText(HELP_KEYS, browser.isMac)} isHidden />
      </button>
      {linksOf('below')}
      <button
        type="button"
        class="bar-link bar-fold"
        title={fold}
        aria-pressed={isFolded}
        onClick={() => preferences.set({ isFolded: !isFolded })}
      >
        <Icon name={isFolded ? 'right' : 'left'} />
        <span>{fold}</span>
      </button>
      <button
        type="button"
        class="bar-link bar-more"
        aria-expanded={isOpen}
        onClick={() => setOpenedAt(isOpen ? undefined : place)}
      >
        <Icon name="more" />
        <span>{t('more')}</span>
      </button>
    </nav>
  )
}

/** The number of unread notices. */
function Unread() {
  const unread = useConsole().live.unread.value
  if (unread === 0) return null
  return (
    <b class="badge" aria-label={t('nav.unread', { count: unread })}>
      {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
    </b>
  )
}

function BarLink({ place }: { readonly place: Place }) {
  const { router, model } = useConsole()
  const { place: name, id } = router.address.value
  // True also for a part of the place.
  const isHere = findPlace(name, id)?.title === place.title
  const me = place.path === 'account' ? model.me.value : null
  return (
    <a
      class={COMMON.has(place.path) ? 'bar-link' : 'bar-link rare'}
      href={writeAddress({ place: place.path })}
      aria-current={isHere ? 'page' : undefined}
      title={t(place.title)}
    >
      {me !== null ? <Avatar name={me.name} id={me.id} /> : place.icon !== undefined && <Icon name={place.icon} />}
      <span>{t(place.title)}</span>
      {place.icon === 'bell' && <Unread />}
    </a>
  )
}

/** Reports that the server does not answer, and shows the number of waiting writes. */
function OfflineBar() {
  const { offline } = useConsole()
  if (!offline.isOffline.value) return null
  const count = offline.count.value
  return (
    <div class="offline" role="status">
      <Icon name="wait" />
      <span class="grow">
        {t('offline.bar')} {count > 0 && t('offline.waiting', { count })}
      </span>
      <Button onClick={() => offline.retry()}>{t('offline.retry')}</Button>
    </div>
  )
}

/** Sign-out in all tabs: drafts stay in this browser, or are deleted. */
function SignOutDialog({ onClose }: { readonly onClose: () => void }) {
  const { session, drafts } = useConsole()
  const count = drafts.list().length
  return (
    <Dialog title={t('signOut.action')} onClose={onClose}>
      {count > 0 && <p>{t('signOut.drafts', { count })}</p>}
      <div class="row end">
        {count > 0 && (
          <Button
            kind="bad"
            onClick={() => {
              drafts.dropAll()
              void session.signOut()
            }}
          >
            {t('signOut.drop')}
          </Button>
        )}
        <Button kind="main" onClick={() => void session.signOut()}>
          {count > 0 ? t('signOut.keep') : t('signOut.action')}
        </Button>
      </div>
    </Dialog>
  )
}
