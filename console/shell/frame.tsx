// The frame around every place: the bar of places on the left (at the bottom of a narrow page), the place, running
// jobs, messages.
import { createElement } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { StatusList } from '../kit/status-list.tsx'
import { writeAddress } from '../state/addresses.ts'
import { useConsole } from '../state/context.ts'
import { usePanel } from '../state/panels.ts'
import { t } from '../words/words.ts'
import { CommandLine } from './command-line.tsx'
import { JobsFooter } from './jobs-footer.tsx'
import { PlaceContent } from './lazy-place.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { listenToPage } from './page-events.ts'
import { usePlaceScroll } from './place-scroll.ts'
import { findPlace, type Place, PLACES } from './places.ts'
import { SignOutDialog } from './sign-out.tsx'
import { type Over, useShellCommands } from './shell-commands.ts'

export function Frame() {
  const console = useConsole()
  const [over, setOver] = useState<Over>(undefined)
  useShellCommands(setOver)
  useEffect(() => listenToPage(console), [])
  const scroll = usePlaceScroll()
  const keyHelp = usePanel('keys', over === 'keys')
  const close = () => setOver(undefined)
  return (
    <div class="frame">
      <Bar onCommands={() => setOver('commands')} />
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

function Bar({ onCommands }: { readonly onCommands: () => void }) {
  const { model } = useConsole()
  const shown = PLACES.filter(({ bar, needs }) => bar !== undefined && (needs === undefined || model.may(needs)))
  return (
    <nav class="bar" aria-label={t('nav.places')} data-region>
      {shown
        .filter(({ bar }) => bar === 'work')
        .map((place) => (
          <BarLink key={place.path} place={place} />
        ))}
      <span class="bar-gap" />
      <Button kind="quiet" icon="search" label={t('commands.open')} onClick={onCommands} />
      {shown
        .filter(({ bar }) => bar === 'below')
        .map((place) => (
          <BarLink key={place.path} place={place} />
        ))}
    </nav>
  )
}

function BarLink({ place }: { readonly place: Place }) {
  const { router } = useConsole()
  const { place: name, id } = router.address.value
  // True also for a part of the place.
  const isHere = findPlace(name, id)?.title === place.title
  return (
    <a
      class="bar-link"
      href={writeAddress({ place: place.path })}
      aria-current={isHere ? 'page' : undefined}
      title={t(place.title)}
    >
      {place.icon !== undefined && <Icon name={place.icon} />}
      <span>{t(place.title)}</span>
    </a>
  )
}
