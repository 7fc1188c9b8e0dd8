// Looks up a name that a user gave. Every object inherits names: `{}['constructor']` is a function.

/** The own member `name` of `map`; undefined where the member or the map is missing. */
export function own<Value>(map: Readonly<Record<string, Value>> | null | undefined, name: string): Value | undefined {
  return map !== null && map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined
}
