// Commands that are available everywhere.
import { useEffect } from 'preact/hooks'
import { sayFailure } from '../kit/failure-text.ts'
import type { Command, CommandSource } from '../state/commands.ts'
import type { Console } from '../state/console.ts'
import { useCommands, useConsole } from '../state/context.ts'
import { DENSITIES, THEMES } from '../state/preferences.ts'
import { ownName } from '../words/languages.ts'
import { t } from '../words/words.ts'
import { focusNextRegion } from './page-events.ts'
import { type Place, PLACES } from './places.ts'

/** The dialog over the page. */
export type Over = 'commands' | 'keys' | 'signOut' | undefined

/** In fields and cells, `?` is text; the other keys also work there. */
export const HELP_KEYS = 'ctrl+/ | f1 | ?'

export function useShellCommands(show: (over: Over) => void): void {
  const console = useConsole()
  useCommands(() => [...generalCommands(console, show), ...placeCommands(console), ...looks(console)])
  useEffect(() => console.commands.addSource(recordSource(console)), [])
}

function generalCommands(console: Console, show: (over: Over) => void): Command[] {
  const { scope, undo, status } = console
  const move = async (isAgain: boolean) => {
    try {
      const step = await (isAgain ? undo.redo() : undo.undo())
      if (step !== undefined) status.tell(isAgain ? t('redone', { name: step.name }) : t('undone', { name: step.name }))
    } catch (error) {
      status.complain(sayFailure(error as Error))
    }
  }
  return [
    {
      id: 'commands',
      group: 'general',
      keys: 'ctrl+k',
      title: () => t('search'),
      isKeyOnly: true,
      run: () => show('commands'),
    },
    {
      id: 'region',
      group: 'general',
      keys: 'f6',
      title: () => t('keys.region'),
      isKeyOnly: true,
      run: focusNextRegion,
    },
    { id: 'keys', group: 'general', keys: HELP_KEYS, title: () => t('keys.title'), run: () => show('keys') },
    { id: 'undo', group: 'general', keys: 'ctrl+z', title: () => t('undo'), run: () => void move(false) },
    { id: 'redo', group: 'general', keys: 'ctrl+shift+z | ctrl+y', title: () => t('redo'), run: () => void move(true) },
    { id: 'scope-next', group: 'general', keys: '.', title: () => t('scope.next'), run: () => scope.step(1) },
    { id: 'scope-previous', group: 'general', keys: ',', title: () => t('scope.previous'), run: () => scope.step(-1) },
    { id: 'sign-out', group: 'general', title: () => t('signOut.action'), run: () => show('signOut') },
  ]
}

function placeCommands({ router, model }: Console): Command[] {
  const isInBar = (title: Place['title']) => PLACES.some((place) => place.bar !== undefined && place.title === title)
  // Parts of a place have its title: one command leads to the place.
  const shown = PLACES.filter(({ path, bar, title }) => !path.includes(':') && (bar !== undefined || !isInBar(title)))
  return shown.map(({ path, title, keys, needs }) => ({
    id: `go ${path}`,
    group: 'places',
    title: () => t('commands.goTo', { place: t(title) }),
    isThere: () => needs === undefined || model.may(needs),
    run: () => router.go({ place: path }),
    ...(keys === undefined ? {} : { keys }),
  }))
}

function looks({ browser, preferences }: Console): Command[] {
  return [
    ...THEMES.map((theme) => ({
      id: `theme ${theme}`,
      group: 'general' as const,
      title: () => t('commands.theme', { theme: t(`theme.${theme}`) }),
      run: () => preferences.set({ theme }),
    })),
    ...DENSITIES.map((density) => ({
      id: `density ${density}`,
      group: 'general' as const,
      title: () => t('commands.density', { density: t(`density.${density}`) }),
      run: () => preferences.set({ density }),
    })),
    ...browser.spoken.map((language) => ({
      id: `language ${language}`,
      group: 'general' as const,
      title: () => t('commands.language', { language: ownName(language) }),
      run: () => preferences.set({ language }),
    })),
  ]
}

const FOUND = 8

function recordSource({ call, router, model }: Console): CommandSource {
  return async (text, signal) => {
    if (text.trim().length < 2) return []
    const query = { query: text.trim(), limit: FOUND, include: 'image' } as const
    const { body } = await call('GET /api/v1/records/suggest', { query, signal })
    return body.map(({ id, schemaId, label, match, image }) => {
      const schema = model.schema(schemaId)
      const kind = schema === undefined ? schemaId : model.nameOf(schema)
      // Variants have the same label as their parent.
      const where =
        match === null || match.excerpt === label
          ? id
          : `${model.attributeName(schemaId, match.attributeAlias)}: ${match.excerpt}`
      return {
        id: `record ${id}`,
        title: label ?? id,
        detail: `${kind} · ${where}`,
        picture: image,
        run: () => router.go({ place: 'records', id }),
      }
    })
  }
}
