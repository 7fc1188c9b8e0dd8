// Replaces some members of an object, for tests that intercept its use.

/** Returns `target` with `members` replaced. */
export function over<Target extends object>(target: Target, members: Partial<Target>): Target {
  return new Proxy(target, {
    get(_target, name) {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name) as unknown
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
}
