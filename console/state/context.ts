// The access of components to the state, and to cached answers.
import { createContext } from 'preact'
import { useContext, useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import type { CallOptions, GivenOptions, RouteName } from '../api/call.ts'
import type { Endpoints } from '../api/types.ts'
import type { Query } from './cache.ts'
import type { Command } from './commands.ts'
import type { Console } from './console.ts'

export const ConsoleContext = createContext<Console | null>(null)

export function useConsole(): Console {
  const console = useContext(ConsoleContext)
  if (console === null) throw new Error('There is no console around this component')
  return console
}

/** Reads while mounted; the same key shares one answer everywhere. A new key runs the new `load`. */
export function useQuery<Value>(key: string, load: (signal: AbortSignal) => Promise<Value>): Query<Value> {
  const { cache } = useConsole()
  const query = cache.query(key, load)
  useEffect(() => cache.show(query), [cache, query])
  return query
}

/** Reads the body of one request while mounted. */
export function useRead<Name extends RouteName>(
  key: string,
  name: Name,
  ...[options]: GivenOptions<Name>
): Query<Endpoints[Name]['reply']> {
  const { call } = useConsole()
  return useQuery(key, async (signal) => (await call(name, { ...options, signal } as CallOptions<Name>)).body)
}

/**
 * Registers commands while the component is mounted. @param inputs values that the commands depend on: new values
 * register the commands again
 */
export function useCommands(make: () => readonly Command[], inputs: readonly unknown[] = []): void {
  const { commands } = useConsole()
  const made = useMemo(make, inputs as unknown[])
  // Commands are registered before the browser paints: a user who sees the component may press a key.
  useLayoutEffect(() => commands.register(made), [commands, made])
}

/** Sets the title of the tab. */
export function useTitle(title: string): void {
  const { model } = useConsole()
  const workspace = model.me.value?.workspace.name ?? 'pimlet'
  useEffect(() => {
    document.title = title === '' ? workspace : `${title} · ${workspace}`
  }, [title, workspace])
}
