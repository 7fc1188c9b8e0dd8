// The place of the address, loaded on first use. If its file does not exist any more, the page reloads once. A8.
import type { ComponentType } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { NothingThere, PlaceHead } from '../kit/place-head.tsx'
import { Empty, ErrorBox, LoadingLine, NoPermission } from '../kit/states.tsx'
import type { Console } from '../state/console.ts'
import { useConsole } from '../state/context.ts'
import { renewPage } from '../state/renewed.ts'
import { loadPlaceWords, t } from '../words/words.ts'
import { findPlace, type Place } from './places.ts'

type Loaded =
  | { readonly place: Place; readonly component: ComponentType }
  | { readonly place: Place; readonly error: Error }
  | { readonly place: Place; readonly isOutdated: true }

export function PlaceContent() {
  const console = useConsole()
  const { place: name, id } = console.router.address.value
  const place = findPlace(name, id)
  const [loaded, setLoaded] = useState<Loaded | undefined>(() => loadedBefore(place))
  const load = () => {
    if (place === undefined) return
    const before = loadedBefore(place)
    if (before === undefined) void loadPlace(place, console).then(setLoaded)
    else if (loaded?.place !== place) setLoaded(before)
  }
  // A file that did not arrive is read again when the server answers again.
  useLayoutEffect(load, [place, console.offline.isOffline.value])
  const key = useRef('')
  if (place === undefined)
    return <NothingThere title={t('place.unknown')} says={t('place.unknownHelp')} next={['', t('place.home.go')]} />
  if (place.needs !== undefined && !console.model.may(place.needs))
    return (
      <>
        <PlaceHead title={t(place.title)} />
        <NoPermission permission={place.needs} />
      </>
    )
  // The old place stays until the next one has loaded.
  if (loaded === undefined) return <LoadingLine isBusy />
  if (!('component' in loaded))
    return (
      <>
        <PlaceHead title={t(place.title)} />
        {'error' in loaded ? <ErrorBox error={loaded.error} onRetry={load} /> : <Outdated />}
      </>
    )
  const { component: Component } = loaded
  // The old place keeps its key, so that an address of another place does not remount it.
  if (loaded.place === place) key.current = `${place.path} ${id}`
  return (
    <>
      <LoadingLine isBusy={loaded.place !== place} />
      <Component key={key.current} />
    </>
  )
}

const components = new Map<Place, ComponentType>()

/** Starts loading the place of the address, in parallel with the workspace. */
export function loadAhead({ router }: Console): void {
  const { place: name, id } = router.address.peek()
  const place = findPlace(name, id)
  // The place fails again when it is shown, and reports the failure then.
  if (place !== undefined) loadWithWords(place).catch(() => undefined)
}

function loadedBefore(place: Place | undefined): Loaded | undefined {
  const component = place && components.get(place)
  return component && { place, component }
}

async function loadPlace(place: Place, console: Console): Promise<Loaded> {
  try {
    return { place, component: await loadWithWords(place) }
  } catch (missing) {
    try {
      const isRenewed = await renewPage(console)
      return isRenewed || missing instanceof TypeError
        ? { place, isOutdated: true }
        : { place, error: missing as Error }
    } catch (error) {
      return { place, error: error as Error }
    }
  }
}

async function loadWithWords(place: Place): Promise<ComponentType> {
  // The words of the start are always loaded first.
  const [component] = await Promise.all([place.load(), place.path === '' ? undefined : loadPlaceWords()])
  components.set(place, component)
  return component
}

function Outdated() {
  const { browser } = useConsole()
  return (
    <Empty
      icon="redo"
      title={t('place.outdated')}
      action={
        <Button kind="main" onClick={() => browser.reload()}>
          {t('place.reload')}
        </Button>
      }
    />
  )
}
