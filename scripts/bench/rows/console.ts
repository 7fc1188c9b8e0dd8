// Measures the console in Chromium on the existing records: the time to the first rows, scrolling, and the cost for the
// server.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { buildConsole } from '../../build/console.ts'
import { SCHEMA_ID } from '../catalogue.ts'
import {
  type ConsolePage,
  type Frames,
  launchBrowser,
  metricOf,
  openTab,
  scrollSheet,
  signIn,
  timeTasks,
  timeToRows,
  wheelSheet,
} from '../console-page.ts'
import { pimletBundle, startPimlet } from '../processes.ts'
import { median } from '../statistics.ts'
import { milliseconds, type Row } from '../table.ts'
import type { Workspace } from '../workspace.ts'
import { readRecords } from './get.ts'

const ROUNDS = 5
const CONSOLES = 10
const READING_MILLISECONDS = 3000
const P99_RATIO = 1.3
const FIRST_ROWS = 300
const FRAME = 25
const WHEEL_TURNS = 300
/** Pixels per frame. */
const FLING = 3000
const KEYS = 60
const KEY_MILLISECONDS = 8
const GROUPED = 'manufacturer'
const GROUPED_ROW = '.sheet [data-row="1"] [role=gridcell]'
const GROUPED_TURNS = 2000
/** Of a hundred frames. */
const GROUPED_OVER = 0.1
const GROUPED_KEY_MILLISECONDS = 16
/** Milliseconds of a task: a frame of 60 in a second. */
const TASK = 16
const HEAP_MB = 60
const EXECUTABLE_KB = 300
const IDLE_MB = 3
const SETTLING_MILLISECONDS = 2000
const MB = 1024 ** 2
const ROW = '[role=grid] [data-row="0"] [role=gridcell]'

export async function measureConsole(workspace: Workspace): Promise<Row[]> {
  const url = `http://127.0.0.1:${workspace.server.port}`
  const browser = await launchBrowser()
  try {
    const session = await signIn(url)
    return [
      ...(await measureFirstRows(browser, url, session)),
      ...(await measureSheet(browser, url, session)),
      ...(await measureGroups(browser, `${addressOf(url)}&group=${GROUPED}`, session)),
      await measureBeside(browser, workspace, url, session),
      ...(await measureSize(workspace)),
    ]
  } finally {
    await browser.close()
  }
}

const addressOf = (url: string): string => `${url}/console/records?schema=${SCHEMA_ID}`

/** Compares with a page that only requests the same records and lists them. */
async function measureFirstRows(browser: Browser, url: string, session: string): Promise<Row[]> {
  const times: number[] = []
  const bare: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const tab = await openTab(browser, session)
    await tab.page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: barePage(session) }))
    const bareTime = await timeToRows(tab, `${url}/bare`, 'li')
    const time = await timeToRows(tab, addressOf(url), ROW)
    await tab.close()
    // In the first round, the server compiles code and reads its files.
    if (round === 0) continue
    times.push(time)
    bare.push(bareTime)
  }
  return [
    {
      name: `console: navigation to the first rows of the sheet, nothing cached (longest of ${ROUNDS}: ${milliseconds(Math.max(...times))}); reference: a bare page that makes the same search`,
      pimlet: milliseconds(median(times)),
      reference: milliseconds(median(bare)),
      ratio: median(times) / median(bare),
      bar: `≤ ${FIRST_ROWS} ms`,
      isHeld: median(times) <= FIRST_ROWS,
    },
  ]
}

function barePage(session: string): string {
  const { accessToken } = JSON.parse(session) as { accessToken: string }
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
  const body = { schemaId: SCHEMA_ID, criteria: [], criteriaOperator: 'and', limit: 100, include: ['completeness'] }
  return `<!doctype html><style>body{background:#fff;font:13px system-ui}#sheet{background:#fff}#layer>div{background:#fff}</style><title>bare</title><ul></ul><script type="module">
    const answer = await fetch('/api/v1/search', { method: 'POST', headers: ${JSON.stringify(headers)}, body: ${JSON.stringify(JSON.stringify(body))} })
    for (const { id } of await answer.json()) document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: id }))
  </script>`
}

async function measureSheet(browser: Browser, url: string, session: string): Promise<Row[]> {
  const tab = await openTab(browser, session)
  await timeToRows(tab, addressOf(url), ROW)
  const wheel = await wheelSheet(tab, WHEEL_TURNS, FRAME)
  const bare = await wheelBareSheet(browser, session)
  const key = await timeOfKey(tab)
  const fling = await scrollSheet(tab, { step: FLING, frames: Number.MAX_SAFE_INTEGER, bar: FRAME })
  await tab.devtools.send('HeapProfiler.collectGarbage')
  const heap = (await metricOf(tab, 'JSHeapUsedSize')) / MB
  await tab.close()
  return [
    {
      name: `console: the longest of ${wheel.count} frames while the wheel turns (p99 ${milliseconds(wheel.p99)}, ${wheel.over.toFixed(1)} % over ${FRAME} ms); reference: a bare page with as many cells (${bare.over.toFixed(1)} %)`,
      pimlet: milliseconds(wheel.longest),
      reference: milliseconds(bare.longest),
      bar: `≤ ${FRAME} ms`,
      isHeld: wheel.longest <= FRAME,
    },
    {
      name: `console: frames with a blank row while flinging through all by ${FLING} pixels a frame (${fling.count} frames, p99 ${milliseconds(fling.p99)}, longest ${milliseconds(fling.longest)})`,
      pimlet: `${fling.blank}`,
      bar: '0',
      isHeld: fling.blank === 0,
    },
    {
      name: 'console: work of the page for an arrow key in the sheet',
      pimlet: milliseconds(key),
      bar: `≤ ${KEY_MILLISECONDS} ms`,
      isHeld: key <= KEY_MILLISECONDS,
    },
    {
      name: 'console: heap of the page after flinging through all',
      pimlet: `${heap.toFixed(1)} MB`,
      bar: `≤ ${HEAP_MB} MB`,
      isHeld: heap <= HEAP_MB,
    },
  ]
}

/**
 * Measures the frames that the machine itself drops: a page scrolls the same number of rows and cells, and only writes
 * their text.
 */
async function wheelBareSheet(browser: Browser, session: string, turns = WHEEL_TURNS): Promise<Frames> {
  const tab = await openTab(browser, session)
  await tab.page
    .setContent(`<!doctype html><style>body{background:#fff;font:13px system-ui}#sheet{background:#fff}#layer>div{background:#fff}</style>
    <div id="sheet" style="height: 90vh; overflow: auto"><div style="height: 3200000px"><div id="view" style="position: sticky; top: 0; height: 90vh; overflow: clip"><div id="layer"></div></div></div></div>
    <script>
      const rows = Array.from({ length: 36 }, () => {
        const row = document.createElement('div')
        row.style.cssText = 'position: absolute; display: flex; height: 32px; contain: strict; width: 100%'
        for (let at = 0; at < 12; at += 1) row.append(Object.assign(document.createElement('div'), { style: 'width: 120px' }))
        layer.append(row)
        return row
      })
      const draw = () => {
        const first = Math.floor(sheet.scrollTop / 32)
        layer.style.transform = 'translateY(' + -sheet.scrollTop + 'px)'
        for (let index = first; index < first + rows.length; index += 1) {
          const row = rows[index % rows.length]
          if (row.dataset.row === String(index)) continue
          row.dataset.row = index
          row.style.top = index * 32 + 'px'
          for (const cell of row.children) cell.textContent = 'row ' + index
        }
      }
      sheet.addEventListener('scroll', draw, { passive: true })
      draw()
    </script>`)
  const frames = await wheelSheet(tab, turns, FRAME)
  await tab.close()
  return frames
}

/** Measures the sheet in groups. */
async function measureGroups(browser: Browser, address: string, session: string): Promise<Row[]> {
  const tab = await openTab(browser, session)
  await timeToRows(tab, address, GROUPED_ROW)
  const key = await timeOfKey(tab, GROUPED_ROW)
  const wheel = await wheelSheet(tab, GROUPED_TURNS, FRAME)
  const bare = await wheelBareSheet(browser, session, GROUPED_TURNS)
  const tasks = await timeTasks(browser, tab, () => wheelSheet(tab, GROUPED_TURNS, FRAME))
  const long = (tasks.filter((task) => task > TASK).length / wheel.count) * 100
  await tab.close()
  return [
    {
      name: `console: frames over ${FRAME} ms while the wheel turns over groups (${wheel.count} frames, p99 ${milliseconds(wheel.p99)}, longest ${milliseconds(wheel.longest)}); reference: a bare page with as many cells (longest ${milliseconds(bare.longest)})`,
      pimlet: `${wheel.over.toFixed(2)} %`,
      reference: `${bare.over.toFixed(2)} %`,
      bar: `≤ ${GROUPED_OVER} %`,
      isHeld: wheel.over <= GROUPED_OVER,
    },
    {
      name: `console: tasks of the page over ${TASK} ms of processor time while the wheel turns over groups (${tasks.length} tasks, longest ${milliseconds(Math.max(...tasks))})`,
      pimlet: `${long.toFixed(2)} % of frames`,
      bar: `≤ ${GROUPED_OVER} %`,
      isHeld: long <= GROUPED_OVER,
    },
    {
      name: 'console: work of the page for an arrow key in groups',
      pimlet: milliseconds(key),
      bar: `≤ ${GROUPED_KEY_MILLISECONDS} ms`,
      isHeld: key <= GROUPED_KEY_MILLISECONDS,
    },
  ]
}

async function timeOfKey(tab: ConsolePage, row = ROW): Promise<number> {
  await tab.page.locator(row).first().click()
  const before = await metricOf(tab, 'TaskDuration')
  for (let key = 0; key < KEYS; key += 1) await tab.page.keyboard.press('ArrowDown')
  return (((await metricOf(tab, 'TaskDuration')) - before) * 1000) / KEYS
}

/** Rounds with and without consoles alternate, so that other load on the machine affects both. */
async function measureBeside(browser: Browser, workspace: Workspace, url: string, session: string): Promise<Row> {
  const ids = workspace.files.listIds()
  const read = async (): Promise<number> => (await readRecords(workspace.server, ids, READING_MILLISECONDS)).p99
  await read()
  const [alone, beside]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await read())
    const tabs = await Promise.all(Array.from({ length: CONSOLES }, () => openTab(browser, session)))
    for (const tab of tabs) await timeToRows(tab, addressOf(url), ROW)
    // Waits until each console shows its data and waits for changes.
    await setTimeout(SETTLING_MILLISECONDS)
    beside.push(await read())
    await Promise.all(tabs.map((tab) => tab.close()))
  }
  const ratio = median(beside.map((p99, round) => p99 / alone[round]!))
  return {
    name: `GET one record, p99, beside ${CONSOLES} open consoles; reference: without`,
    pimlet: milliseconds(median(beside)),
    reference: milliseconds(median(alone)),
    ratio,
    bar: `≤ ${P99_RATIO} ×`,
    isHeld: ratio <= P99_RATIO,
  }
}

/** Measures the cost of the console for users who do not open it. */
async function measureSize({ directory }: Workspace): Promise<Row[]> {
  const { files } = await buildConsole()
  const carried = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0) / 1024
  const [without, withIt]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await idleMemory(directory, `idle-${round}`, ['--no-console']))
    withIt.push(await idleMemory(directory, `idle-console-${round}`, []))
  }
  const difference = median(withIt) - median(without)
  return [
    {
      name: 'console: its files in the executable',
      pimlet: `${Math.round(carried)} KB`,
      bar: `≤ ${EXECUTABLE_KB} KB`,
      isHeld: carried <= EXECUTABLE_KB,
    },
    {
      name: `memory of an idle server with a console that nobody has opened; reference: with --no-console (${difference.toFixed(1)} MB)`,
      pimlet: `${median(withIt).toFixed(1)} MB`,
      reference: `${median(without).toFixed(1)} MB`,
      bar: `≤ ${IDLE_MB} MB more`,
      isHeld: difference <= IDLE_MB,
    },
  ]
}

async function idleMemory(directory: string, name: string, flags: readonly string[]): Promise<number> {
  const dataDir = path.join(directory, name)
  mkdirSync(dataDir)
  const server = await startPimlet(pimletBundle(path.join(directory, 'bundle')), dataDir, flags)
  await setTimeout(SETTLING_MILLISECONDS)
  const memory = server.memory() / MB
  await server.stop()
  return memory
}
