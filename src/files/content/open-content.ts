// Opens the store of bytes that `--files` names. Contract 4 §5.
import path from 'node:path'
import { configSchema as azureSchema } from '../../../plugins/azure-blob/config.ts'
import { resolveContainer } from '../../../plugins/azure-blob/account.ts'
import { configSchema as s3Schema } from '../../../plugins/s3/config.ts'
import type { ConfigSchema, Network } from '../../kernel/destination.ts'
import { createNetwork } from '../../kernel/egress/network.ts'
import { StartError, UsageError } from '../../kernel/machine/start-error.ts'
import { PimletError } from '../../kernel/errors.ts'
import { createAzureStore } from './azure-store.ts'
import type { ContentStore } from './content-store.ts'
import { createDirectoryStore } from './directory-store.ts'
import { createS3Store } from './s3-store.ts'

export interface ContentPlace {
  readonly dataDir: string
  /** As `--files` has it. */
  readonly files: string | undefined
  /** Further settings of a bucket or container, as the destinations have them: JSON. */
  readonly filesConfig: string | undefined
}

/** Addresses where cloud machines get their credentials. */
const METADATA = ['169.254.169.254', '169.254.170.2']

/** @throws UsageError for settings that are wrong, StartError for a store that cannot be used */
export async function openContent(place: ContentPlace): Promise<ContentStore> {
  const store = findContent(place)
  try {
    await store.prepare()
    return store
  } catch (error) {
    throw error instanceof PimletError ? new StartError(error.message, { cause: error }) : error
  }
}

/** The store without a look at whether it can be used. @throws UsageError for settings that are wrong */
export function findContent({ dataDir, files, filesConfig }: ContentPlace): ContentStore {
  const own = path.join(dataDir, 'files')
  const url = files !== undefined && /^[a-z][a-z0-9-]+:\/\//i.test(files) ? URL.parse(files) : undefined
  if (url === undefined) {
    if (filesConfig !== undefined) throw new UsageError('--files-config is for --files s3://… or azure-blob://…')
    return createDirectoryStore(path.resolve(files ?? own), { isShared: files !== undefined })
  }
  const arrivals = path.join(own, 'arriving')
  const names = {
    name: decodeURIComponent(url?.hostname ?? ''),
    path: decodeURIComponent(url?.pathname.slice(1) ?? ''),
  }
  if (url?.protocol === 's3:') {
    const config = read(s3Schema, { bucket: names.name, path: names.path, ...settingsOf(url, filesConfig) })
    return createS3Store({ config, network: networkTo(config.endpoint), arrivals })
  }
  if (url?.protocol === 'azure-blob:') {
    const config = read(azureSchema, { container: names.name, path: names.path, ...settingsOf(url, filesConfig) })
    return createAzureStore({ config, network: networkTo(resolveContainer(config).url), arrivals })
  }
  throw new UsageError('--files must be a directory, s3://bucket/prefix or azure-blob://container/prefix')
}

/** Settings of the address, and of `--files-config`, which may hold secrets. */
function settingsOf({ searchParams }: URL, filesConfig: string | undefined): Record<string, unknown> {
  const inAddress = [...searchParams].map(([key, value]) => [
    key,
    value === 'true' || (value === 'false' ? false : value),
  ])
  return { ...Object.fromEntries(inAddress), ...(filesConfig === undefined ? {} : parseConfig(filesConfig)) }
}

function parseConfig(text: string): Record<string, unknown> {
  try {
    const config: unknown = JSON.parse(text)
    if (typeof config === 'object' && config !== null && !Array.isArray(config))
      return config as Record<string, unknown>
  } catch {
    // Told below, without the text, which may hold a secret.
  }
  throw new UsageError('--files-config must be a JSON object')
}

function read<Config>(schema: ConfigSchema<Config>, settings: unknown): Config {
  const result = schema['~standard'].validate(settings)
  if (result instanceof Promise) throw new TypeError('settings are checked at once')
  if (result.issues === undefined) return result.value
  throw new UsageError(`--files: ${result.issues[0]!.message}`)
}

/** The operator has chosen the place, so it may be reached even if it is local. */
function networkTo(endpoint: string | undefined): Network {
  const host = endpoint === undefined ? [] : [new URL(endpoint).hostname.replace(/^\[|\]$/g, '')]
  return createNetwork({ allow: [...host, ...METADATA] })
}
