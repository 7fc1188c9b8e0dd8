// Limits of a plugin's thread: time, memory, and the size of its messages, which are cut there and refused on the main thread. A
// separate file, so that the thread need not load the parsers of messages.

/** Characters of a text. Texts are redacted on the main thread before they are shortened further. */
export const MAX_TEXT = 65_536
/** Issues of a schema that are sent; one is shown. */
export const MAX_ISSUES = 20
export const MAX_STEPS = 32
export const MAX_KEYS = 10_000

/** All milliseconds, but for `memory`. */
export interface PluginLimits {
  readonly loadTime: number
  readonly validateTime: number
  /** Milliseconds for the plugin's cleanup after its signal. */
  readonly grace: number
  /** Milliseconds for the answer of a thread that may hang. */
  readonly aliveTime: number
  /** Milliseconds for last messages of a plugin that was given up. */
  readonly lingerTime: number
  /** Milliseconds without a call until the thread ends. */
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
