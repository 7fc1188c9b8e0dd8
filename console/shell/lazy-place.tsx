// The place that the address names, loaded when it is first shown. Where its file is gone, the page is loaded anew, once. A8.
import type { ComponentType } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button, LinkButton } from '../kit/button.tsx'
import { PlaceHead } from '../kit/place-head.tsx'
import { Empty, ErrorBox, LoadingLine, NoPermission } from '../kit/states.tsx'
import type { Console } from '../state/console.ts'
import { useConsole } from '../state/context.ts'
import { renewPage } from '../state/renewed.ts'
import { loadPlaceWords, t } from '../words/words.ts'
import { findPlace, type Place } from './places.ts'
import { writeAddress } from '../state/addresses.ts'

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
  useLayoutEffect(load, [place])
  const key = useRef('')
  if (place === undefined) return <UnknownPlace />
  if (place.needs !== undefined && !console.model.may(place.needs))
    return (
      <>
        <PlaceHead title={t(place.title)} />
        <NoPermission permission={place.needs} />
      </>
    )
  // The place of before stays until the next one is there.
  if (loaded === undefined) return <LoadingLine isBusy />
  if (!('component' in loaded))
    return (
      <>
        <PlaceHead title={t(place.title)} />
        {'error' in loaded ? <ErrorBox error={loaded.error} onRetry={load} /> : <Outdated />}
      </>
    )
  const { component: Component } = loaded
  // That of before is not made anew for an address that is not its own.
  if (loaded.place === place) key.current = `${place.path} ${id}`
  return (
    <>
      <LoadingLine isBusy={loaded.place !== place} />
      <Component key={key.current} />
    </>
  )
}

const components = new Map<Place, ComponentType>()

/** Begins to load what the address names, so that it is there when the workspace is. */
export function loadAhead({ router }: Console): void {
  const { place: name, id } = router.address.peek()
  const place = findPlace(name, id)
  // What goes wrong goes wrong again where the place is shown, and is told there.
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
  // Those of the start are there before all others.
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

function UnknownPlace() {
  return (
    <>
      <PlaceHead title={t('place.unknown')} />
      <Empty
        icon="search"
        title={t('place.unknownHelp')}
        action={
          <LinkButton href={writeAddress({ place: '' })} kind="main">
            {t('place.home.go')}
          </LinkButton>
        }
      />
    </>
  )
}
