// How components get at the state, and at what is read.
import { createContext } from 'preact'
import { useContext, useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import type { Query } from './cache.ts'
import type { Command } from './commands.ts'
import type { Console } from './console.ts'

export const ConsoleContext = createContext<Console | null>(null)

export function useConsole(): Console {
  const console = useContext(ConsoleContext)
  if (console === null) throw new Error('There is no console around this component')
  return console
}

/** Reads while it is shown; the same key gives the same answer everywhere. `load` is run anew where the key changes. */
export function useQuery<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>): Query<Value> {
  const { cache } = useConsole()
  const query = cache.query(key, load)
  useEffect(() => cache.show(query), [cache, query])
  return query
}

/** Commands that are there as long as the component is. @param inputs what they are made of: they are made anew with these */
export function useCommands(make: () => readonly Command[], inputs: readonly unknown[] = []): void {
  const { commands } = useConsole()
  const made = useMemo(make, inputs as unknown[])
  // Not after it is painted: whoever sees it may press a key.
  useLayoutEffect(() => commands.register(made), [commands, made])
}

/** What the tab's head says. */
export function useTitle(title: string): void {
  const { model } = useConsole()
  const workspace = model.me.value?.workspace.name ?? 'pimlet'
  useEffect(() => {
    document.title = title === '' ? workspace : `${title} · ${workspace}`
  }, [title, workspace])
}
