// An external destination whose settings contain its code, for tests of its thread.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Destination, RunContext } from '../../src/kernel/destination.ts'
import type { PluginLimits } from '../../src/exports/plugin-threads/limits.ts'
import type { TestFile } from './export-file.ts'
import { makeRunContext } from './run-context.ts'

/** The setting `does` is the body of an asynchronous function that delivers, and returns the path; `schema` that of a check. */
export const WILD = `
import * as fs from 'node:fs'
import * as http from 'node:http'
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const tools = { AsyncLocalStorage, fs, http, once, sleep, parentPort, workerData }
const state = { calls: 0, once: new Set() }
const AsyncFunction = (async () => {}).constructor
const perform = ({ does = '' }, rest) => new AsyncFunction('t', does)({ ...tools, ...rest, state })

export default {
  type: 'wild',
  secrets: ['token'],
  config: { '~standard': { version: 1, vendor: 'test', validate: (value) => {
    if (value.schema !== undefined) return new Function('value', value.schema)(value)
    return { value: { ...value, moment: new Date(0), double: () => 2 } }
  } } },
  async deliver(file, config, context) {
    state.calls += 1
    return { destinationPath: String(await perform(config, { file, config, context }) ?? 'calls: ' + state.calls) }
  },
  async check(config, context) { await perform(config, { config, context }) },
}
`
/** Short limits, except for steps that a busy machine slows down. */
export const WILD_LIMITS: Partial<PluginLimits> = {
  loadTime: 5000,
  validateTime: 1000,
  grace: 100,
  aliveTime: 1500,
  lingerTime: 50,
  memory: 64,
}

export function putPlugin(directory: string, name: string, text: string): string {
  const file = path.join(directory, name)
  writeFileSync(file, text, { mode: 0o644 })
  return file
}

/** Resolves to the path that the plugin returns. */
export async function deliverWild(
  plugin: Destination,
  file: TestFile,
  does: string,
  context: RunContext = makeRunContext(),
): Promise<string> {
  return (await plugin.deliver(file, { does }, context)).destinationPath
}
