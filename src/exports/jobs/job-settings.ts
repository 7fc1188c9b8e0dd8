// The stored settings of a job's destination: checked, and with sealed secrets. A stored secret is kept only if it still goes to
// the same place. Contract 2 §6, 3 §9.5.
import { invalid } from '../../kernel/errors.ts'
import type { ExportJob, TargetSettings } from '../rules/export-job.ts'
import { fillPlaceholders, keptFields, splitSecrets, withSecrets } from '../../kernel/secrets/secret-fields.ts'
import { isSameValue } from '../../kernel/text.ts'
import type { Settings } from '../destinations/destinations.ts'
import type { ExportEngine } from './export-engine.ts'
import { own } from '../../kernel/own.ts'

interface StoredSettings {
  /** Without secrets. */
  readonly destinationConfig: Settings
  /** Encrypted. */
  readonly secrets: ExportJob['secrets']
}

interface SentSettings {
  readonly jobId: string
  readonly type: string
  /** As the client sent them: placeholders stand for secrets to keep. */
  readonly config: Settings
}

type SettingsEngine = Pick<ExportEngine, 'destinations' | 'secrets'>

/**
 * The settings to store; kept secrets come from `before`.
 * @throws VALIDATION_ERROR naming the field: a wrong value, or a placeholder without a stored secret
 * @throws VALIDATION_ERROR for a placeholder of a secret that would be sent elsewhere or less safely
 */
export async function prepareSettings(
  engine: SettingsEngine,
  { jobId, type, config }: SentSettings,
  before: TargetSettings | undefined,
): Promise<StoredSettings> {
  const secretKeys = engine.destinations.secretKeysOf(type)
  const stored = before?.destinationType === type ? before : undefined
  const kept = keptFields(config, secretKeys)
  const whole = fillPlaceholders(config, secretKeys, (field) => openSecret(stored, field, engine))
  const known = await engine.destinations.checkConfig(type, whole)
  if (stored !== undefined && kept.length > 0) await assertNotMoved(engine, stored, known, kept)
  const { open, secrets } = splitSecrets(known, secretKeys)
  const sealed = Object.entries(secrets).map(([field, value]): [string, string] => [
    field,
    kept.includes(field) ? own(stored!.secrets, field)! : engine.secrets.seal(jobId, field, value),
  ])
  return { destinationConfig: open, secrets: Object.fromEntries(sealed) }
}

/** For requests that do not need the destination; its type must still be known. @throws VALIDATION_ERROR */
export async function withoutSettings(
  engine: Pick<ExportEngine, 'destinations'>,
  { type }: Pick<SentSettings, 'type'>,
): Promise<StoredSettings> {
  engine.destinations.secretKeysOf(type)
  return { destinationConfig: {}, secrets: {} }
}

/** Whether both jobs have the same settings, secrets included. */
export function haveSameSettings(one: ExportJob, other: ExportJob): boolean {
  const settingsOf = ({ destinationType, destinationConfig, secrets }: ExportJob): string =>
    JSON.stringify([destinationType, destinationConfig, secrets])
  return settingsOf(one) === settingsOf(other)
}

/** Whether both lead to the same place with the same secrets; equal secrets may be sealed differently. */
export function leadToTheSame(one: ExportJob, other: ExportJob, engine: ExportEngine): boolean {
  if (haveSameSettings(one, other)) return true
  const whole = (job: ExportJob): unknown => [job.destinationType, wholeSettings(job, engine)]
  return isSameValue(whole(one), whole(other))
}

async function assertNotMoved(
  engine: SettingsEngine,
  stored: TargetSettings,
  config: Settings,
  kept: readonly string[],
): Promise<void> {
  const moved = await engine.destinations.findMove(stored.destinationType, wholeSettings(stored, engine), config)
  if (moved === undefined) return
  const fields = kept.map((field) => `destinationConfig.${field}`).join(', ')
  const why = `with another ${moved} the stored one would be sent elsewhere, or less safely`
  throw invalid(`${fields} must be sent again: ${why}`)
}

/** With all secrets that can be opened. */
function wholeSettings(job: TargetSettings, engine: SettingsEngine): Settings {
  const opened = Object.entries(job.secrets).flatMap(([field, sealed]): [string, unknown][] => {
    try {
      return [[field, engine.secrets.open(job.id, field, sealed)]]
    } catch {
      return []
    }
  })
  return withSecrets(job.destinationConfig, Object.fromEntries(opened))
}

/** The stored secret of a field; undefined: none. @throws VALIDATION_ERROR if it cannot be opened */
function openSecret(job: TargetSettings | undefined, field: string, engine: SettingsEngine): unknown {
  if (job === undefined || !Object.hasOwn(job.secrets, field)) return undefined
  try {
    return engine.secrets.open(job.id, field, job.secrets[field]!)
  } catch {
    throw invalid(`destinationConfig.${field} is stored but can no longer be read: send the secret`)
  }
}
