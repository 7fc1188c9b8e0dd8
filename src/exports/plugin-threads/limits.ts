// What the thread of a plugin may take: time, memory, and the size of what it says, which is cut there and refused on the main
// thread. Apart from the messages, so that the thread does without what reads them.

/** Characters of a text. Texts are redacted on the main thread before they are shortened further. */
export const MAX_TEXT = 65_536
/** Of what a schema says against settings; one is shown. */
export const MAX_ISSUES = 20
export const MAX_STEPS = 32
export const MAX_KEYS = 10_000

/** All milliseconds, but for `memory`. */
export interface PluginLimits {
  readonly loadTime: number
  readonly validateTime: number
  /** What a plugin gets to clean up after its signal was aborted. */
  readonly grace: number
  /** For the answer of a thread that may hang. */
  readonly aliveTime: number
  /** For what a plugin that was given up still has to say. */
  readonly lingerTime: number
  /** Without a call, until the thread ends. */
  readonly idleTime: number
  /** MiB of JavaScript values that a thread may hold. */
  readonly memory: number
}

export const PLUGIN_LIMITS: PluginLimits = {
  loadTime: 10_000,
  validateTime: 10_000,
  grace: 5000,
  aliveTime: 2000,
  lingerTime: 5000,
  idleTime: 60_000,
  memory: 512,
}
