// The installed destinations: which there are, whether settings fit one, and what a job needs to reach its own. Decisions §6.
import { invalid, shorten } from '../domain/errors.ts'
import type { ExportJob } from '../domain/export-job.ts'
import { splitSecrets, textsIn, withSecrets } from '../domain/export-secrets.ts'
import type { ConfigIssue, Destination } from './destination.ts'
import { callPlugin } from './plugin-calls.ts'
import { createRedactor } from './redact.ts'
import type { SecretBox } from './secrets.ts'

/** Milliseconds that a plugin may take to check settings. */
const CHECK_TIME = 10_000
const MAX_MESSAGE = 65_536
const MAX_LOGGED = 4000

/** A job's destination with everything that a call of it needs. */
export interface Target {
  readonly jobId: string
  readonly destination: Destination
  /** As the destination's own schema put it out, secrets included. */
  readonly config: unknown
  readonly redact: (text: string) => string
}

export class UnusableDestination extends Error {
  override readonly name = 'UnusableDestination'
  readonly permanent = true
}

export interface Destinations {
  /** @throws VALIDATION_ERROR listing those that there are */
  secretKeysOf(type: string): readonly string[]
  /** `config` without the fields that the destination does not know. @throws VALIDATION_ERROR naming the field */
  checkConfig(type: string, config: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
  /** @throws UnusableDestination, UnreadableSecret */
  targetOf(job: ExportJob): Promise<Target>
  /** Blots the job's secrets out, where they can be read. */
  redactorOf(job: ExportJob): (text: string) => string
}

export function createDestinations(
  installed: ReadonlyMap<string, Destination>,
  box: SecretBox,
  /** Told of what a plugin did wrong, free of secrets. */
  onFault: (message: string) => void,
): Destinations {
  function find(type: string): Destination {
    const destination = installed.get(type)
    if (destination !== undefined) return destination
    throw invalid(`destinationType must be one of ${[...installed.keys()].sort().join(', ')}`)
  }

  function openSecrets(job: ExportJob): Readonly<Record<string, unknown>> {
    const opened = Object.entries(job.secrets).map(([field, sealed]): [string, unknown] => [
      field,
      box.open(job.id, field, sealed),
    ])
    return Object.fromEntries(opened)
  }

  return {
    secretKeysOf: (type) => find(type).secrets ?? [],

    async checkConfig(type, config) {
      const destination = find(type)
      const { secrets } = splitSecrets(config, destination.secrets ?? [])
      const redact = createRedactor(textsIn(secrets))
      const result = await validate(destination, config, redact, onFault)
      const [issue] = result.issues ?? []
      if (issue !== undefined) throw invalid(describeIssue(issue, redact))
      const known = (result as { value: unknown }).value
      if (typeof known !== 'object' || known === null) return config
      return Object.fromEntries(Object.entries(config).filter(([key]) => Object.hasOwn(known, key)))
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

type Checked = { readonly value?: unknown; readonly issues?: readonly ConfigIssue[] | undefined }

/** A schema that throws or does not end is a fault of the plugin, and says no more than that; what it threw is logged. */
async function validate(
  { type, config: schema }: Destination,
  config: unknown,
  redact: (text: string) => string,
  onFault: (message: string) => void,
): Promise<Checked> {
  const signal = AbortSignal.timeout(CHECK_TIME)
  const tell = (error: unknown): void => {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    onFault(shorten(`the plugin ${type} failed to check settings: ${redact(what.slice(0, MAX_MESSAGE))}`, MAX_LOGGED))
  }
  const limits = { signal, grace: 0, onLateFault: tell }
  try {
    return await callPlugin<Checked>(() => schema['~standard'].validate(structuredClone(config)), limits)
  } catch (error) {
    tell(error)
    return { issues: [{ message: `could not be checked: the plugin '${type}' failed` }] }
  }
}

/** Messages of schema libraries repeat what they refuse, secrets too. */
function describeIssue(issue: ConfigIssue, redact: (text: string) => string): string {
  // A plugin may be written without types.
  const { path = [], message }: { path?: ConfigIssue['path']; message: unknown } = issue
  const keys = path.map((step) => (typeof step === 'object' ? step.key : step))
  const field = ['destinationConfig', ...keys.map((key) => shorten(String(key), 64))].join('.')
  const text = shorten(redact(String(message).slice(0, MAX_MESSAGE)), 300)
  const name = `${String(keys.at(-1))} `
  return text.startsWith(name) ? `${field} ${text.slice(name.length)}` : `${field}: ${text}`
}
