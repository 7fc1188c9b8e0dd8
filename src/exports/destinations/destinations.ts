// The installed destinations: their list, the check of settings, and the access of a job to its destination. Contract 2 §6.
import { createHash } from 'node:crypto'
import { invalid, shorten } from '../../kernel/errors.ts'
import { suggest } from '../../kernel/input/exact-object.ts'
import type { TargetSettings } from '../rules/export-job.ts'
import { findMovedKey, splitSecrets, textsIn, withSecrets } from '../../kernel/secrets/secret-fields.ts'
import { canonicalJson } from '../../kernel/text.ts'
import type { ConfigIssue, Destination, Place } from '../../kernel/destination.ts'
import type { GuardedNetwork } from '../../kernel/egress/network.ts'
import { callPlugin } from './plugin-calls.ts'
import { createRedactor } from '../../kernel/secrets/redact.ts'
import { type SecretBox, UnreadableSecret } from '../../kernel/secrets/secret-box.ts'

/** Milliseconds that a plugin may take to check settings. */
const CHECK_TIME = 10_000
const MAX_MESSAGE = 65_536
const MAX_LOGGED = 4000

/** A job's destination, with everything that a call to the destination needs. */
export interface Target {
  readonly jobId: string
  readonly destination: Destination
  /** The output of the destination's own schema, secrets included. */
  readonly config: unknown
  readonly redact: (text: string) => string
  /** The job is not stored, so no leftovers can be stored with it. */
  readonly isDraft?: boolean | undefined
}

export class UnusableDestination extends Error {
  override readonly name = 'UnusableDestination'
  readonly permanent = true
}

/** Settings of a destination, secrets included. */
export type Settings = Readonly<Record<string, unknown>>

/** The description of an installed destination. */
export interface InstalledDestination {
  readonly type: string
  readonly title: string
  /** Keys of its settings; `headers.*`: each value of the object `headers`. */
  readonly secrets: readonly string[]
  /** All keys of its settings; undefined if the destination does not list them. */
  readonly keys: readonly string[] | undefined
}

export interface Destinations {
  /** All that are installed, in the order of their loading. */
  list(): readonly InstalledDestination[]
  /** @throws VALIDATION_ERROR listing the known types */
  secretKeysOf(type: string): readonly string[]
  /**
   * `config` without the fields that the destination does not know.
   * @throws VALIDATION_ERROR naming the field, also for an address in it that may not be reached
   */
  checkConfig(type: string, config: Settings): Promise<Settings>
  /**
   * The key whose change in `after` sends secrets elsewhere or less safely; undefined: none. Both settings contain their
   * secrets. @throws VALIDATION_ERROR
   */
  findMove(type: string, before: Settings, after: Settings): Promise<string | undefined>
  /** @throws UnusableDestination, UnreadableSecret */
  targetOf(job: TargetSettings): Promise<Target>
  /** Digest of the place to which the job's files go: type, settings without secrets, and the place that receives the secrets. */
  addressOf(job: TargetSettings): Promise<string>
  /** Blots the job's secrets out, where they can be read. */
  redactorOf(job: TargetSettings): (text: string) => string
}

export function createDestinations(
  installed: ReadonlyMap<string, Destination>,
  box: SecretBox,
  network: Pick<GuardedNetwork, 'findRefusal'>,
  /** Called with faults of plugins, without secrets. */
  onFault: (message: string) => void,
): Destinations {
  function find(type: string): Destination {
    const destination = installed.get(type)
    if (destination !== undefined) return destination
    throw invalid(`destinationType must be one of ${[...installed.keys()].sort().join(', ')}`)
  }

  function openSecrets(job: TargetSettings): Readonly<Record<string, unknown>> {
    const opened = Object.entries(job.secrets).map(([field, sealed]): [string, unknown] => [
      field,
      box.open(job.id, field, sealed),
    ])
    return Object.fromEntries(opened)
  }

  /** Undefined: unknown. */
  async function placeOfJob(destination: Destination, job: TargetSettings): Promise<Place['secretsGoTo']> {
    try {
      const secrets = openSecrets(job)
      const redact = createRedactor(textsIn(secrets))
      const judged = await judge(destination, withSecrets(job.destinationConfig, secrets), redact, onFault)
      return judged.place.secretsGoTo
    } catch (error) {
      if (error instanceof UnreadableSecret) return undefined
      throw error
    }
  }

  return {
    list: () =>
      [...installed.values()].map(({ type, title = type, secrets = [], keys }) => ({ type, title, secrets, keys })),

    secretKeysOf: (type) => find(type).secrets ?? [],

    async checkConfig(type, config) {
      const destination = find(type)
      assertKnownKeys(destination, config)
      const { secrets } = splitSecrets(config, destination.secrets ?? [])
      const redact = createRedactor(textsIn(secrets))
      const { issue, value, place } = await judge(destination, config, redact, onFault)
      if (issue !== undefined) throw invalid(describeIssue(issue, redact))
      for (const [key, host] of Object.entries(place.hosts ?? {})) {
        const refusal = network.findRefusal(host)
        if (refusal !== undefined) throw invalid(redact(`destinationConfig.${key}: ${refusal}`))
      }
      if (typeof value !== 'object' || value === null) return config
      return Object.fromEntries(Object.entries(config).filter(([key]) => Object.hasOwn(value, key)))
    },

    async findMove(type, before, after) {
      const destination = find(type)
      const secretKeys = destination.secrets ?? []
      const placeOf = async (config: Settings): Promise<Judged & { secretsGoTo: Settings }> => {
        const { open, secrets } = splitSecrets(config, secretKeys)
        const judged = await judge(destination, config, createRedactor(textsIn(secrets)), onFault)
        return { ...judged, secretsGoTo: judged.place.secretsGoTo ?? open }
      }
      const to = await placeOf(after)
      if (to.issue !== undefined) throw invalid(describeIssue(to.issue, createRedactor(textsIn(after))))
      const from = await placeOf(before)
      // The destination refuses the old settings, so their address is unknown.
      return findMovedKey(from.issue === undefined ? from.secretsGoTo : {}, to.secretsGoTo)
    },

    async addressOf(job) {
      const { destinationType: type, destinationConfig: open } = job
      const destination = installed.get(type)
      const place = destination === undefined ? undefined : await placeOfJob(destination, job)
      return createHash('sha256')
        .update(canonicalJson([type, open, place ?? {}]))
        .digest('base64url')
    },

    async targetOf(job) {
      const destination = installed.get(job.destinationType)
      if (destination === undefined)
        throw new UnusableDestination(`the plugin of the destination type '${job.destinationType}' is not installed`)
      const secrets = openSecrets(job)
      const redact = createRedactor(textsIn(secrets))
      const whole = withSecrets(job.destinationConfig, secrets)
      const result = await validate(destination, whole, redact, onFault)
      const [issue] = result.issues ?? []
      if (issue !== undefined)
        throw new UnusableDestination(`the destination no longer takes its settings: ${describeIssue(issue, redact)}`)
      return { jobId: job.id, destination, config: (result as { value: unknown }).value, redact }
    },

    redactorOf(job) {
      try {
        return createRedactor(textsIn(openSecrets(job)))
      } catch {
        return createRedactor([])
      }
    },
  }
}

/** @throws VALIDATION_ERROR naming the first unknown key, and the nearest known key */
function assertKnownKeys({ keys }: Destination, config: Settings): void {
  const unknown = keys && Object.keys(config).find((key) => !keys.includes(key))
  if (unknown !== undefined)
    throw invalid(`Unknown member 'destinationConfig.${shorten(unknown, 64)}'${suggest(unknown, keys ?? [])}`)
}

interface Judged {
  /** Set where the settings do not fit. */
  readonly issue?: ConfigIssue
  /** The output of the schema. */
  readonly value?: unknown
  readonly place: Place
}

/** The fault of the settings; or else the output of the schema, and the address. */
async function judge(
  destination: Destination,
  config: Settings,
  redact: (text: string) => string,
  onFault: (message: string) => void,
): Promise<Judged> {
  const { issues, value } = await validate(destination, config, redact, onFault)
  if (issues?.[0] !== undefined) return { issue: issues[0], place: {} }
  if (destination.place === undefined) return { value, place: {} }
  const asked = { type: destination.type, redact, onFault }
  const place = await askPlugin<Place>(asked, async () => (await destination.place?.(value)) ?? {})
  return place === undefined ? { issue: couldNotBeChecked(destination.type), place: {} } : { value, place }
}

type Checked = { readonly value?: unknown; readonly issues?: readonly ConfigIssue[] | undefined }

async function validate(
  { type, config: schema }: Destination,
  config: unknown,
  redact: (text: string) => string,
  onFault: (message: string) => void,
): Promise<Checked> {
  const ask = (): Checked | Promise<Checked> => schema['~standard'].validate(structuredClone(config))
  return (await askPlugin<Checked>({ type, redact, onFault }, ask)) ?? { issues: [couldNotBeChecked(type)] }
}

interface Asked {
  readonly type: string
  readonly redact: (text: string) => string
  readonly onFault: (message: string) => void
}

/** Undefined where the plugin throws or does not end. That is the plugin's fault: it is logged, and the client gets no details. */
async function askPlugin<Answer>(
  { type, redact, onFault }: Asked,
  ask: () => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  const signal = AbortSignal.timeout(CHECK_TIME)
  const tell = (error: unknown): void => {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    onFault(shorten(`the plugin ${type} failed to check settings: ${redact(what.slice(0, MAX_MESSAGE))}`, MAX_LOGGED))
  }
  try {
    return await callPlugin<Answer>(ask, { signal, grace: 0, onLateFault: tell })
  } catch (error) {
    tell(error)
    return undefined
  }
}

function couldNotBeChecked(type: string): ConfigIssue {
  return { message: `could not be checked: the plugin '${type}' failed` }
}

/** Schema libraries repeat the refused value in their messages, even a secret. */
function describeIssue(issue: ConfigIssue, redact: (text: string) => string): string {
  // A plugin may be written without types.
  const { path = [], message }: { path?: ConfigIssue['path']; message: unknown } = issue
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  const field = ['destinationConfig', ...keys.map((key) => shorten(String(key), 64))].join('.')
  const name = `${String(keys.at(-1))} `
  // The message of valibot, which the built-in plugins use, for a missing member.
  const told = String(message).slice(0, MAX_MESSAGE)
  const said = /^Invalid key: Expected .* but received undefined$/s.test(told) ? `${name}is required` : told
  const text = shorten(redact(said), 300)
  return text.startsWith(name) ? `${field} ${text.slice(name.length)}` : `${field}: ${text}`
}
