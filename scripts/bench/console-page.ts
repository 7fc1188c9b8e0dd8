// The console in Chromium, for the rows that measure it: its sheet of records, and the measurements in the page. Code that
// runs in the page is text, since the types of a page are not known here.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser } from '../../test/console/helpers/chromium.ts'
import { percentile } from './statistics.ts'

const LOGIN = { username: 'admin', password: 'of the bench' }
const VIEWPORT = { width: 1440, height: 900 }

export interface ConsolePage {
  readonly page: Page
  readonly devtools: CDPSession
  close(): Promise<void>
}

export { launchBrowser }

/** Returns the entry that a sign-in stores in a tab. */
export async function signIn(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify(LOGIN) })
  return answer.text()
}

/** A tab of its own, signed in; nothing is loaded. */
export async function openTab(browser: Browser, session: string): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const keep = `if (location.protocol !== 'about:') sessionStorage.setItem('pimlet-session', ${JSON.stringify(session)})`
  await context.addInitScript({ content: keep })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable')
  return { page, devtools, close: () => context.close() }
}

/** Milliseconds from the navigation to the first row in the page, by its own clock, looked for in each frame. */
export async function timeToRows({ page }: ConsolePage, url: string, selector: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate<number>(`new Promise((resolve) => {
    const look = () => document.querySelector(${JSON.stringify(selector)}) ? resolve(performance.now()) : requestAnimationFrame(look)
    look()
  })`)
}

/** Turns the wheel over the sheet `turns` times, and counts frames meanwhile. */
export async function wheelSheet({ page }: ConsolePage, turns: number, bar: number): Promise<Frames> {
  await page.mouse.move(VIEWPORT.width / 2, VIEWPORT.height / 2)
  await page.evaluate(`(() => {
    const deltas = (globalThis.benchFrames = [])
    let before = performance.now()
    const frame = (now) => {
      deltas.push(now - before)
      before = now
      if (globalThis.benchFrames === deltas) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })()`)
  for (let turn = 0; turn < turns; turn += 1) await page.mouse.wheel(0, 120)
  const deltas = await page.evaluate<number[]>(`(() => {
    const deltas = globalThis.benchFrames
    globalThis.benchFrames = undefined
    return deltas
  })()`)
  return toFrames(deltas.slice(1), bar)
}

function toFrames(deltas: readonly number[], bar: number): Frames {
  const over = (deltas.filter((delta) => delta > bar).length / deltas.length) * 100
  return { count: deltas.length, p99: percentile(deltas, 0.99), longest: percentile(deltas, 1), over }
}

export interface Frames {
  readonly count: number
  /** Milliseconds between two frames. */
  readonly p99: number
  readonly longest: number
  /** Of a hundred. */
  readonly over: number
}

/** Moves the sheet by `step` pixels a frame, for `frames` frames or to its end. Counts a sight without a row as `blank`. */
export async function scrollSheet(
  { page }: ConsolePage,
  { step, frames, bar }: { readonly step: number; readonly frames: number; readonly bar: number },
): Promise<Frames & { readonly blank: number }> {
  const [deltas, blank] = await page.evaluate<[number[], number]>(`(async () => {
    const sheet = document.querySelector('[role=grid]')
    const { top, left, height } = sheet.getBoundingClientRect()
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const isDrawn = (y) => document.elementFromPoint(left + 90, top + y)?.closest('[data-row]') != null
    const deltas = []
    let blank = 0
    let before = await frame()
    for (let at = 0; at < ${frames} && sheet.scrollTop + sheet.clientHeight < sheet.scrollHeight - 1; at += 1) {
      sheet.scrollTop += ${step}
      const now = await frame()
      deltas.push(now - before)
      before = now
      if (![60, height / 2, height - 24].every(isDrawn)) blank += 1
    }
    return [deltas, blank]
  })()`)
  return { ...toFrames(deltas, bar), blank }
}

/** A metric of the page, as DevTools count it: seconds or bytes. */
export async function metricOf({ devtools }: ConsolePage, name: string): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find((metric) => metric.name === name)!.value
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly args: { readonly name?: string }
  /** Microseconds of processor time. */
  readonly tdur?: number
}

/**
 * Processor time, in milliseconds, of each task of the page's main thread during `work`. Other programs on the machine
 * lengthen frames, but not these times.
 */
export async function timeTasks(
  browser: Browser,
  { page }: ConsolePage,
  work: () => Promise<unknown>,
): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const threads = new Set(
    traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args.name === 'CrRendererMain' ? `${pid} ${tid}` : [],
    ),
  )
  return traceEvents.flatMap(({ name, pid, tid, tdur }) =>
    tdur !== undefined && name.endsWith('RunTask') && threads.has(`${pid} ${tid}`) ? tdur / 1000 : [],
  )
}
