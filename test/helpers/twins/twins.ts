// Two servers with the same model, clock and requests, whose hidden values alone differ. A role that may not read these values must get the
// same answers from both: status, headers and body, byte for byte. What is not compared as it is:
// - IDs that servers give: by the order in which they are first told, since more history takes more of them;
// - `Date` and `X-Request-Id`, which differ at each request.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type System, system } from '../../../src/kernel/machine/system.ts'
import { send } from '../answers.ts'
import { type Client, keyClient } from '../client.ts'
import { makeUser, PASSWORD, sessionOf } from '../people.ts'
import { installPuppet } from '../puppet.ts'
import { startServer, type TestServer } from '../server.ts'
import { make } from '../shirts.ts'
import { withoutSqlite } from '../tested-database.ts'
import { makeTempDirectory } from '../temp-directory.ts'

export type Side = 0 | 1

export interface Request {
  readonly method: string
  /** `$name` stands for what the server called the thing that an earlier request kept under `name`. */
  readonly path: string
  /** A text is sent as it is, all else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Keeps this of the answer: a header, or a member of the body such as `id` or `runs.0.id`. */
  readonly keep?: { readonly name: string; readonly from: string }
}

export interface Told {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

/** One of the two workspaces. */
export interface Twin {
  readonly side: Side
  readonly server: TestServer
  readonly admin: Client
  /** The limited callers: an API key, and the session of a person. */
  readonly callers: Readonly<Record<Who, Client>>
  /** Where exports go. */
  readonly directory: string
  /** Bodies that subscriptions sent to `$sink`. */
  readonly events: readonly string[]
  readonly kept: Map<string, string>
  readonly names: Map<string, string>
}

export type Who = 'key' | 'person'
export type Twins = readonly [Twin, Twin]

/** IDs of the clock's time; of links, which are random; and the addresses of links. */
const GIVEN_ID = /\b(?:[a-z]+-0{10}[0-9]{16}|shl-[0-9a-f]{32}|sheets\/[\w-]{43})\b/g
const ADDRESS = /127\.0\.0\.1:\d+/g
const OF_REQUEST = new Set(['date', 'x-request-id', 'connection', 'keep-alive'])
/** A body that takes long is sent in parts. The body itself is compared. */
const OF_FRAMES = new Set([...OF_REQUEST, 'content-length', 'transfer-encoding', 'vary'])
/** On PostgreSQL, cursors of pages have row numbers, which transactions that were run again have taken. */
if (withoutSqlite !== false) OF_FRAMES.add('x-next-cursor')
export const clock = { now: Date.parse('2026-01-01T00:00:00.000Z') }

function makeSystem(): System {
  let ids = 0
  let draws = 0
  return {
    ...system,
    now: () => new Date(clock.now),
    newId: (prefix) => `${prefix}-${String((ids += 1)).padStart(26, '0')}`,
    randomBytes(count) {
      const parts = Array.from({ length: Math.ceil(count / 32) }, () =>
        createHash('sha256')
          .update(String((draws += 1)))
          .digest(),
      )
      return Buffer.concat(parts).subarray(0, count)
    },
  }
}

type Fill = (admin: Client, side: Side) => Promise<void>
type Stop = () => Promise<unknown>

/** Starts both, and lets `fill` make each workspace as the administrator; then come the limited callers. */
export async function startTwins(fill: Fill, roleId: string): Promise<{ twins: Twins; stop: Stop }> {
  const closing: Stop[] = []
  const stop: Stop = () => Promise.all(closing.map((close) => close()))
  try {
    return { twins: [await startTwin(0, fill, roleId, closing), await startTwin(1, fill, roleId, closing)], stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** @param closing takes what ends the server, also where it cannot be filled */
async function startTwin(side: Side, fill: Fill, roleId: string, closing: Stop[]): Promise<Twin> {
  const pluginsDir = makeTempDirectory()
  const { directory } = installPuppet(pluginsDir)
  const events: string[] = []
  const sink = await receiveEvents(events)
  closing.push(() => sink.close())
  const testing = { system: makeSystem() }
  const server = await startServer({ pluginsDir, maxRecords: 0, allowDestinations: ['127.0.0.1'], testing })
  closing.push(() => server.stop())
  const { admin } = server
  await fill(admin, side)
  const { key } = await make<{ key: string }>(admin, '/api/v1/api-keys', { id: 'key-limited', name: 'K', roleId })
  await makeUser(server, { id: 'usr-limited', username: 'limited', name: 'Limited', roleId, password: PASSWORD })
  const callers = { key: keyClient(server.url, key), person: await sessionOf(server, 'limited') }
  const kept = new Map([
    ['sink', sink.url],
    ['directory', directory],
  ])
  return { side, server, admin, callers, directory, events, kept, names: new Map() }
}

interface Sink {
  readonly url: string
  close(): Promise<unknown>
}

async function receiveEvents(events: string[]): Promise<Sink> {
  const sink = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      events.push(Buffer.concat(chunks).toString())
      response.end()
    })
  })
  await once(sink.listen(0, '127.0.0.1'), 'listening')
  const { port } = sink.address() as AddressInfo
  const close = (): Promise<unknown> => {
    sink.closeAllConnections()
    return once(sink.close(), 'close')
  }
  return { url: `http://127.0.0.1:${port}/`, close }
}

/** Sends the request to one server. */
export async function tell(
  twin: Twin,
  client: Client,
  request: Request,
  hear?: (response: Response, text: string) => void,
): Promise<Told> {
  const { body } = request
  const content = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(client.url + filled(request.path, twin), {
    method: request.method,
    redirect: 'manual',
    headers: {
      'accept-encoding': 'identity',
      ...client.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...mapped(request.headers ?? {}, (text) => filled(text, twin)),
    },
    ...(body === undefined ? {} : { body: filled(content, twin) }),
    signal: AbortSignal.timeout(60_000),
  })
  const isText = /^(?:application\/json|text\/)/.test(response.headers.get('content-type') ?? '')
  const text = Buffer.from(await response.arrayBuffer()).toString(isText ? 'utf8' : 'latin1')
  hear?.(response, text)
  if (request.keep !== undefined) keep(twin, request.keep, response, text)
  const left = request.method === 'HEAD' ? OF_REQUEST : OF_FRAMES
  const headers = [...response.headers].filter(([name]) => !left.has(name))
  return {
    status: response.status,
    headers: headers.map(([name, value]) => named(twin, `${name}: ${value}`)),
    body: named(twin, text),
  }
}

/** What may differ, and why. */
export interface Allowed {
  readonly why: string
  /** Of the method and the path. */
  readonly where: RegExp
  /** The part of the headers and of the body. */
  readonly what: RegExp
}

export function without(told: Told, request: Pick<Request, 'method' | 'path'>, allowed: readonly Allowed[]): Told {
  const place = `${request.method} ${request.path}`
  const cuts = allowed.filter(({ where }) => where.test(place))
  const cut = (text: string): string => cuts.reduce((rest, { what }) => rest.replaceAll(what, ''), text)
  return { ...told, headers: told.headers.map(cut), body: cut(told.body) }
}

/** Sends the request of a limited caller to both. Undefined: the answers are the same. */
export async function findLeak(
  twins: Twins,
  who: Who,
  request: Request,
  allowed: readonly Allowed[],
): Promise<string | undefined> {
  const told = await Promise.all(twins.map((twin) => tell(twin, twin.callers[who], request)))
  const [one, other] = told.map((answer) => without(answer, request, allowed)) as [Told, Told]
  return describeLeak(one, other, `${who}: ${describeRequest(request)}`)
}

/** Undefined: they are the same. */
export function describeLeak(one: Told, other: Told, what: string): string | undefined {
  const difference = findDifference(one, other)
  return difference === undefined ? undefined : `${what}\n${difference}`
}

/** Sends a request of the administrator to both. It must succeed. */
export async function bothAdmins(twins: Twins, request: (side: Side, directory: string) => Request): Promise<void> {
  for (const twin of twins) {
    const made = request(twin.side, twin.directory)
    const { status, body } = await tell(twin, twin.admin, made)
    assert.ok(status < 400, `${describeRequest(made)}: ${status} ${body}`)
  }
}

/** Waits until jobs and runs have ended at both. */
export async function untilQuiet(twins: Twins): Promise<void> {
  for (const { admin } of twins)
    for (const path of ['/api/v1/bulk-jobs?limit=20', '/api/v1/export-runs?limit=20'])
      for (;;) {
        const { body } = await send<{ status: string; completedAt: string | null; pausedReason?: object | null }[]>(
          admin,
          'GET',
          path,
        )
        if (body.every(({ completedAt, pausedReason }) => completedAt !== null || (pausedReason ?? null) !== null))
          break
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
}

/** The events that both have sent, in the same order, without what `allowed` names. Waits until no more come. */
export async function eventsOf(twins: Twins, allowed: readonly Allowed[]): Promise<readonly [string[], string[]]> {
  const count = (): number => twins.reduce((sum, { events }) => sum + events.length, 0)
  for (let known = -1; known !== count();) {
    known = count()
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
  // Two subscriptions tell at once, and so name IDs in either order.
  const [one, other] = twins.map(({ events, directory }) =>
    events
      .map(
        (text) => without({ status: 200, headers: [], body: text }, { method: 'POST', path: '/events' }, allowed).body,
      )
      .map((text) => text.replaceAll(directory, 'DIRECTORY').replaceAll(ADDRESS, 'ADDRESS').replaceAll(GIVEN_ID, 'ID'))
      .toSorted(),
  ) as [string[], string[]]
  return [one, other]
}

function keep({ kept }: Twin, { name, from }: NonNullable<Request['keep']>, response: Response, text: string): void {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const member = (at: unknown, key: string): unknown => (at as Record<string, unknown> | null | undefined)?.[key]
  const found =
    response.headers.get(from) ?? (isJson && text !== '' ? from.split('.').reduce(member, JSON.parse(text)) : undefined)
  // Of an address, the path: the two servers have other ports.
  if (typeof found === 'string' || typeof found === 'number')
    kept.set(name, String(found).replace(/^http:\/\/[^/]+/, ''))
}

function filled(text: string, { kept }: Twin): string {
  const whole = text.replaceAll(
    /"version":"\$([a-z]+)"/g,
    (all, name: string) => `"version":${kept.get(name) ?? `"${all}"`}`,
  )
  return whole.replaceAll(/\$([a-z][A-Za-z0-9]*)/g, (all, name: string) => kept.get(name) ?? all)
}

function named({ names, directory }: Twin, text: string): string {
  return text
    .replaceAll(directory, 'DIRECTORY')
    .replaceAll(ADDRESS, 'ADDRESS')
    .replaceAll(GIVEN_ID, (id) => {
      const prefix = id.split(/[-/]/)[0]!
      const count = Number(names.get(prefix) ?? 0)
      if (!names.has(id)) names.set(prefix, String(count + 1)).set(id, `${prefix}#${count}`)
      return names.get(id)!
    })
}

function mapped(headers: Readonly<Record<string, string>>, map: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(value)]))
}

function findDifference(one: Told, other: Told): string | undefined {
  const [here, there] = [one, other].map(({ status, headers, body }) => [status, ...headers, body].join('\n')) as [
    string,
    string,
  ]
  if (here === there) return undefined
  let at = 0
  while (here[at] === there[at]) at += 1
  const near = (text: string): string => `${text.slice(0, 3)} … ${text.slice(Math.max(0, at - 150), at + 150)}`
  return `one:   ${near(here)}\nother: ${near(there)}`
}

export function describeRequest({ method, path, body, headers }: Request): string {
  const content = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return `${method} ${path} ${headers === undefined ? '' : JSON.stringify(headers)} ${content}`.slice(0, 1500)
}
