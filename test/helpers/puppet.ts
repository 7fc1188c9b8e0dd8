// A destination from outside that does what its job's settings say: a module that tests write into a plugins directory.
// It writes what it is asked into `<directory>/log`, and files into `<directory>/files`.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const SOURCE = `
import { createHash } from 'node:crypto'
import { appendFileSync, copyFileSync, existsSync, renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import path from 'node:path'

const BEHAVIOURS = {
  deliver: async (file, config) => store(file, config),
  throws: () => { throw new Error('the puppet throws, token ' + puppet.token) },
  rejects: async () => { throw new Error('the puppet rejects, token ' + puppet.token) },
  throwsNothing: async () => { throw undefined },
  permanent: async () => { throw Object.assign(new Error('no such bucket'), { permanent: true }) },
  failsUntilGo: async (file, config) =>
    existsSync(path.join(config.directory, 'go')) ? store(file, config) : BEHAVIOURS.permanent(),
  waitsUntilMended: (file, config, context) =>
    config.token === 'mended' ? store(file, config) : BEHAVIOURS.waits(file, config, context),
  pauses: async () => { throw Object.assign(new Error('gone for good'), { permanent: true, pauseJob: true }) },
  pausesLater: async (file, config) => {
    while (!existsSync(path.join(config.directory, 'go'))) await sleep(10)
    return BEHAVIOURS.pauses()
  },
  hangs: () => new Promise(() => setInterval(() => {}, 1000).unref()),
  waits: async (file, config, { signal }) => {
    while (!existsSync(path.join(config.directory, 'go'))) await sleep(10, undefined, { signal })
    return store(file, config)
  },
  thirdTime: async (file, config, { attempt }) => {
    if (attempt < 3) throw new Error('not yet, token ' + puppet.token)
    return store(file, config)
  },
  rejectsLate: async (file, config, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await sleep(config.delay)
    throw new Error('too late, token ' + puppet.token)
  },
  throwsFromTimer: () => new Promise(() => setTimeout(() => { throw new Error('from a timer') }, 10)),
  floatingRejection: () => { void Promise.reject(new Error('nobody waits for this')); return new Promise(() => {}) },
  throwsAfterwards: async (file, config) => {
    setTimeout(() => { throw new Error('after the delivery') }, 50)
    return store(file, config)
  },
  asksPatience: async () => { throw Object.assign(new Error('busy'), { retryAfterMs: 60_000 }) },
  saysNothing: async () => {},
  tellsSecret: async (file, config) => ({ destinationPath: 'puppet://' + puppet.token + '@host/x?sig=' + puppet.token }),
  tellsDigest: async (file, config) => ({ destinationPath: createHash('sha256').update(config.token).digest('hex') }),
  litters: async (file, config, { leftovers, runId }) => {
    await leftovers.note('part of ' + runId)
    throw Object.assign(new Error('left something behind'), { permanent: true })
  },
  loops: () => { for (;;); },
  exits: () => process.exit(0),
  tellsReason: async (file, config, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    say(config, 'ended because ' + signal.reason.message)
    throw signal.reason
  },
  stopsBefore: async (file, config) => { await stop(config); return store(file, config) },
  stopsHalfway: async (file, config) => {
    const target = path.join(config.directory, 'files', file.name)
    copyFileSync(file.path, target + '.part')
    await stop(config)
    renameSync(target + '.part', target)
    return { destinationPath: target }
  },
  stopsAfter: async (file, config) => { const done = store(file, config); await stop(config); return done },
}

const puppet = { token: undefined }

function say(config, text) {
  appendFileSync(path.join(config.directory, 'log'), text + '\\n')
}

function store(file, config) {
  const target = path.join(config.directory, 'files', file.name)
  copyFileSync(file.path, target + '.part')
  renameSync(target + '.part', target)
  return { destinationPath: target }
}

async function stop(config) {
  say(config, 'stopped')
  while (!existsSync(path.join(config.directory, 'go'))) await sleep(10)
}

function validate(value) {
  if (value?.validation === 'throws') throw new Error('a bug, token ' + value.token)
  if (!(value?.behaviour in BEHAVIOURS)) return { issues: [{ message: 'is no behaviour but "' + value?.token + '"', path: ['behaviour'] }] }
  const { behaviour, directory, token, headers, delay = 0 } = value
  return { value: { behaviour, directory, token, headers, delay } }
}

export default {
  type: 'puppet',
  secrets: ['token', 'headers.*'],
  config: { '~standard': { version: 1, vendor: 'test', validate } },
  async deliver(file, config, context) {
    puppet.token = config.token
    say(config, 'deliver ' + context.attempt + ' ' + file.name + ' ' + file.size + ' ' + file.contentType)
    context.log('the puppet logs its token ' + config.token)
    return BEHAVIOURS[config.behaviour](file, config, context)
  },
  async check(config, context) {
    puppet.token = config.token
    say(config, 'check')
    if (config.behaviour === 'loops') BEHAVIOURS.loops()
    if (config.behaviour === 'hangs') await new Promise(() => setInterval(() => {}, 1000).unref())
    if (config.behaviour !== 'deliver') throw new Error('cannot be written, token ' + config.token)
  },
  async sweep(config, context) {
    for (const name of await context.leftovers.list()) {
      say(config, 'sweep ' + name)
      await context.leftovers.forget(name)
    }
  },
}
`

export interface Puppet {
  /** Directory in the job's destinationConfig. */
  readonly directory: string
  /** Returns the lines that the puppet wrote. */
  log(): string[]
  /** Returns the names of delivered files, complete or not. */
  files(): string[]
  read(name: string): Buffer
  /** Lets `waits` and the stopping behaviours continue. */
  go(): void
}

/** Installs the module in `pluginsDir`, with a directory of the puppet's own beside it. */
export function installPuppet(pluginsDir: string): Puppet {
  mkdirSync(pluginsDir, { recursive: true })
  writeFileSync(path.join(pluginsDir, 'puppet.mjs'), SOURCE)
  return puppetIn(path.join(pluginsDir, 'puppet-stage'))
}

export function puppetIn(directory: string): Puppet {
  const files = path.join(directory, 'files')
  mkdirSync(files, { recursive: true })
  const log = path.join(directory, 'log')
  return {
    directory,
    log: () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []),
    files: () => readdirSync(files).sort(),
    read: (name) => readFileSync(path.join(files, name)),
    go: () => writeFileSync(path.join(directory, 'go'), ''),
  }
}

/** Milliseconds; only events that never happen take longer, even on a busy machine. */
export const PATIENCE = 60_000

/** Waits until `find` returns something; fails after a minute. */
export async function eventually<Found>(
  find: () => Found | undefined | false | Promise<Found | undefined | false>,
): Promise<Found> {
  const end = Date.now() + PATIENCE
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`It did not happen within a minute: ${String(find)}`)
    await sleep(15)
  }
}
