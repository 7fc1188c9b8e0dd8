// Looking up a name that a user may have given. `{}['constructor']` is a function: every object has some names that nobody gave it.

/** The own member `name` of `map`; undefined where the member or the map is missing. */
export function own<Value>(map: Readonly<Record<string, Value>> | null | undefined, name: string): Value | undefined {
  return map !== null && map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined
}
