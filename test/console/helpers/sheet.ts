// A schema with an attribute of each kind and any number of records, and the sheet that shows them.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { send } from '../../helpers/answers.ts'
import type { Client } from '../../helpers/client.ts'
import { ADMIN_PASSWORD } from '../../helpers/server.ts'

export const SHEET_SCHEMA = 'sheet-tea'

const attribute = (alias: string, dataType: string, rest: object = {}) => ({ alias, dataType, name: alias, ...rest })

export const SHEET_ATTRIBUTES = [
  attribute('sku', 'text', { name: 'SKU', unique: true }),
  attribute('name', 'text', { name: 'Name', dimensionIds: ['language'], requiredInStateIds: ['state-published'] }),
  attribute('price', 'price', { name: 'Price', dimensionIds: ['market'], currencies: ['EUR', 'USD'] }),
  attribute('weight', 'number', { name: 'Weight', validation: { min: 0 } }),
  attribute('stock', 'number', { name: 'Stock', validation: { integer: true } }),
  attribute('kind', 'select', {
    name: 'Kind',
    options: [
      { id: 'green', name: 'Green', names: { de: 'Grün' } },
      { id: 'black', name: 'Black', names: { de: 'Schwarz' } },
    ],
  }),
  attribute('secret', 'text', { name: 'Secret margin' }),
]

export async function makeSheetModel(admin: Client, extra: readonly object[] = []): Promise<void> {
  const segments = (...ids: readonly [string, string][]) => ids.map(([id, name]) => ({ id, name }))
  const made = [
    [
      '/api/v1/dimensions',
      { id: 'language', name: 'Language', segments: segments(['de', 'Deutsch'], ['en', 'English']) },
    ],
    ['/api/v1/dimensions', { id: 'market', name: 'Market', segments: segments(['eu', 'Europe'], ['us', 'America']) }],
    [
      '/api/v1/schemas',
      { id: SHEET_SCHEMA, name: 'Sheet tea', attributes: [...SHEET_ATTRIBUTES, ...extra], labelAttribute: 'sku' },
    ],
  ] as const
  for (const [path, body] of made) {
    const { status, text } = await send(admin, 'POST', path, body)
    assert.equal(status, 201, text)
  }
}

export interface SheetRecord {
  readonly id: string
  readonly parentId?: string
  readonly values: Readonly<Record<string, unknown>>
}

/** `T-0001` and so on: every second record has a German name; weight and stock equal its number. */
export function sheetRecord(at: number): SheetRecord {
  const named = [
    { scope: {}, value: `Tea ${at}` },
    ...(at % 2 === 0 ? [{ scope: { language: 'de' }, value: `Tee ${at}` }] : []),
  ]
  const scoped = (value: unknown) => [{ scope: {}, value }]
  return {
    id: `tea-${String(at).padStart(6, '0')}`,
    values: {
      sku: scoped(`T-${String(at).padStart(4, '0')}`),
      name: named,
      weight: scoped(at),
      stock: scoped(at),
      kind: scoped(at % 3 === 0 ? 'green' : 'black'),
      secret: scoped(`margin ${at}`),
    },
  }
}

export async function importRecords(admin: Client, records: Iterable<SheetRecord>): Promise<void> {
  const body = [...records].map((record) => JSON.stringify({ schemaId: SHEET_SCHEMA, ...record })).join('\n')
  const answer = await fetch(`${admin.url}/api/v1/records/import`, {
    method: 'POST',
    headers: { ...admin.headers, 'content-type': 'application/x-ndjson' },
    body,
  })
  const { errors } = (await answer.json()) as { errors: unknown[] }
  assert.deepEqual(errors, [])
}

export function* someRecords(count: number): Generator<SheetRecord> {
  for (let at = 1; at <= count; at += 1) yield sheetRecord(at)
}

/** The sheet on a page, as the user sees it. */
export class SeenSheet {
  readonly page: Page
  readonly grid: Locator

  /** @param grid a sheet with groups is no plain grid */
  constructor(page: Page, grid = page.getByRole('grid')) {
    this.page = page
    this.grid = grid
  }

  /** The head of a group in a row. */
  head(row: number): Locator {
    return this.grid.locator(`.sheet-group[data-row="${row}"]`)
  }

  async headText(row: number): Promise<string> {
    return (await this.head(row).locator('.sheet-group-cell').textContent()) ?? ''
  }

  /** Rows from 0 on; columns by position, without the column of selection. */
  cell(row: number, column: number): Locator {
    return this.grid.locator(`[data-row="${row}"] [data-column="${column}"]`)
  }

  async text(row: number, column: number): Promise<string> {
    return (await this.cell(row, column).locator('.sheet-text').textContent()) ?? ''
  }

  /** Waits until the cell shows the text. */
  async shows(row: number, column: number, text: string): Promise<void> {
    await this.cell(row, column)
      .locator('.sheet-text')
      .filter({ hasText: new RegExp(`^${RegExp.escape(text)}$`) })
      .waitFor()
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
  }

  /** Waits until no write is running. */
  async saved(): Promise<void> {
    await this.grid.locator('[data-mark=saving]').first().waitFor({ state: 'detached' })
  }

  /** Pastes a text as if copied from a spreadsheet. */
  async paste(text: string): Promise<void> {
    await this.grid.evaluate((element, pasted) => {
      const data = new DataTransfer()
      data.setData('text/plain', pasted)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, text)
  }

  async copy(): Promise<string> {
    return this.grid.evaluate((element) => {
      const data = new DataTransfer()
      element.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }))
      return data.getData('text/plain')
    })
  }

  /** The row and column of the cursor, in the words of screen readers. */
  async cursor(): Promise<string> {
    return (await this.grid.getAttribute('aria-activedescendant')) ?? ''
  }
}

/** Resets the administrator's preferences, which earlier visits have changed. */
export async function setLanguage(url: string, language: 'en' | 'de'): Promise<void> {
  const as = { username: 'admin', password: ADMIN_PASSWORD }
  const { body } = await send({ url, headers: {} }, 'POST', '/api/v1/auth/login', as)
  const headers = { authorization: `Bearer ${(body as { accessToken: string }).accessToken}` }
  const { status, text } = await send({ url, headers }, 'PUT', '/api/v1/me/preferences', { console: { language } })
  assert.equal(status, 200, text)
}

/** The address of the sheet. */
export function sheetPath(query = ''): string {
  return `/console/records?schema=${SHEET_SCHEMA}${query}`
}
