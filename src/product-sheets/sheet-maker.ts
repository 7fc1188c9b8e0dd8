// Makes pages of product sheets: one record after another, so that a page of many is never in memory. Contract 5 §4.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../core/accounts/caller.ts'
import { findAll } from '../core/search/search.ts'
import { findScopeFault } from '../core/model/rules/schema.ts'
import { Gate } from '../kernel/gate.ts'
import { invalid, PimletError, shorten } from '../kernel/errors.ts'
import type { Reads, Store } from '../store/port.ts'
import { assertContent, type SheetContent, type SheetFields } from './rules/sheet-link.ts'
import { CLOSE_PAGE, closeArticle, openArticle, openPage, pictureOf, type SheetLook } from './rules/sheet-page.ts'
import { DEFAULT_PRESET, MAX_RECORDS } from './rules/sheet-limits.ts'
import type { SheetTemplate } from './rules/sheet-template.ts'
import { SheetLanguage } from './rules/sheet-values.ts'
import { readSheet, type ReadSheet, type SheetPicture, type Sight } from './sheet-records.ts'

/** Bytes of one picture, and of all pictures of a page. Larger ones are left out. */
const MAX_PICTURE = 2 * 1024 * 1024
const MAX_PICTURES = 64 * 1024 * 1024
const DEFAULT_LANGUAGE = 'en'

/** Bytes of pictures for a sheet; the files wing has them. */
interface PictureSource {
  ofRecord(
    caller: Caller,
    asked: { readonly recordId: string; readonly sha256: string; readonly presetId: string },
    signal: AbortSignal,
  ): Promise<{
    readonly size: number
    readonly mediaType: string
    readonly open: () => Promise<AsyncIterable<Uint8Array>>
  }>
}

export interface SheetDeps {
  readonly store: Store
  readonly pictures: PictureSource
}

/** @throws VALIDATION_ERROR, NOT_FOUND, errors of the search */
export async function fixContent(
  { store }: Pick<SheetDeps, 'store'>,
  caller: Caller,
  fields: SheetFields,
  signal: AbortSignal,
): Promise<SheetContent> {
  assertContent(fields)
  const { templateId, language, scope } = fields
  const recordIds = fields.recordIds ?? (await findRecords(store, caller, fields, signal))
  const content = { recordIds, templateId, language, scope }
  await assertContentFits(store.read, content)
  return content
}

async function findRecords(
  store: Store,
  { role }: Caller,
  { query, except = [] }: SheetFields,
  signal: AbortSignal,
): Promise<string[]> {
  const { batches } = await findAll(store, role, query!, signal)
  const ids: string[] = []
  const leftOut = new Set(except)
  for await (const batch of batches) {
    ids.push(...batch.flatMap(({ id }) => (leftOut.has(id) ? [] : id)))
    if (ids.length > MAX_RECORDS)
      throw invalid(`query finds more than ${MAX_RECORDS} records: a sheet has at most ${MAX_RECORDS}`)
  }
  if (ids.length === 0) throw invalid('query finds no record')
  return ids
}

async function assertContentFits(reads: Reads, { recordIds, templateId, scope }: SheetContent): Promise<void> {
  const schemaIds = await reads.records.existing(recordIds)
  const missing = recordIds.find((id) => !schemaIds.has(id))
  if (missing !== undefined) throw new PimletError('NOT_FOUND', `Record '${shorten(missing, 128)}' does not exist`)
  const fault = scope && findScopeFault(scope, await reads.model())
  if (fault) throw invalid(`scope ${fault}`)
  if (templateId === null) return
  const template = await reads.sheetTemplates.get(templateId)
  if (template === undefined) throw invalid(`templateId names the unknown sheet template '${shorten(templateId, 128)}'`)
  const stranger = recordIds.find((id) => schemaIds.get(id) !== template.schemaId)
  if (stranger === undefined) return
  throw invalid(
    `templateId names a template for the schema '${template.schemaId}', and '${stranger}' is of another one`,
  )
}

/** Pages that are worked on at the same time: however many are open, other requests wait for no more than these. */
const turns = new Gate({ size: 2 })

/** The page, in parts, each made when it is asked for: a page that nobody reads holds no turn. Throws as its parts do. */
export async function* makePage(
  deps: SheetDeps,
  caller: Caller,
  content: SheetContent,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const parts = partsOf(deps, caller, content, signal)
  try {
    for (;;) {
      const { done, value } = await turns.run(() => parts.next(), { signal })
      if (done === true) return
      yield value
    }
  } finally {
    await parts.return()
  }
}

/** Records that are gone, or that the template is not for, are left out. */
async function* partsOf(
  deps: SheetDeps,
  caller: Caller,
  content: SheetContent,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { read } = deps.store
  // A page without its template would show all values: a template that was deleted meanwhile ends the page.
  const template = content.templateId === null ? undefined : await read.sheetTemplates.find(content.templateId)
  const { sight, look } = viewOn(caller, content, template)
  const pictures = new PagePictures(deps.pictures, caller, template?.preset ?? DEFAULT_PRESET, signal)
  let isOpen = false
  for (const id of content.recordIds) {
    signal.throwIfAborted()
    const sheet = await readSheet(read, id, sight)
    await nextTurn()
    if (sheet === undefined) continue
    if (!isOpen) yield Buffer.from(openPage(sheet.article.title, look))
    isOpen = true
    yield* articleOf(sheet, look, pictures)
  }
  if (!isOpen) yield Buffer.from(openPage('', look))
  yield Buffer.from(CLOSE_PAGE)
}

function viewOn(
  { role }: Caller,
  content: SheetContent,
  template: SheetTemplate | undefined,
): { readonly sight: Sight; readonly look: SheetLook } {
  const language = new SheetLanguage(content.language ?? template?.language ?? DEFAULT_LANGUAGE)
  const scope = content.scope ?? template?.scope ?? {}
  const { paper = 'A4', pictureSize = 'medium' } = template ?? {}
  return { sight: { role, language, scope, template }, look: { language, paper, pictureSize } }
}

async function* articleOf(
  { article, pictures }: ReadSheet,
  look: SheetLook,
  source: PagePictures,
): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(openArticle(article, look))
  let isOpen = false
  for (const picture of pictures) {
    const html = await source.htmlOf(picture)
    await nextTurn()
    if (html === undefined) continue
    yield Buffer.from(isOpen ? html : `<div class="pictures">\n${html}`)
    isOpen = true
  }
  if (isOpen) yield Buffer.from('</div>\n')
  for (const part of closeArticle(article)) {
    yield Buffer.from(part)
    await nextTurn()
  }
}

/** The pictures of a page, within its limit of bytes. */
class PagePictures {
  readonly #source: PictureSource
  readonly #caller: Caller
  readonly #presetId: string
  readonly #signal: AbortSignal
  #left = MAX_PICTURES

  constructor(source: PictureSource, caller: Caller, presetId: string, signal: AbortSignal) {
    this.#source = source
    this.#caller = caller
    this.#presetId = presetId
    this.#signal = signal
  }

  /** Undefined: the file is no picture, or is too large. */
  async htmlOf({ recordId, sha256, fileName }: SheetPicture): Promise<string | undefined> {
    try {
      const asked = { recordId, sha256, presetId: this.#presetId }
      const { size, mediaType, open } = await this.#source.ofRecord(this.#caller, asked, this.#signal)
      if (!SHOWN.has(mediaType) || size > Math.min(MAX_PICTURE, this.#left)) return undefined
      this.#left -= size
      const parts: Uint8Array[] = []
      for await (const part of await open()) parts.push(part)
      return pictureOf(mediaType, Buffer.concat(parts).toString('base64'), fileName)
    } catch (error) {
      if (error instanceof PimletError && LEFT_OUT.has(error.code)) return undefined
      throw error
    }
  }
}

const SHOWN: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'])
/** The file cannot be rendered, or it or the preset is gone. */
const LEFT_OUT: ReadonlySet<string> = new Set(['NOT_FOUND', 'NOT_RENDERABLE'])
