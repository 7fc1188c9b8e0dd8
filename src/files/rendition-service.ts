// Use cases of renditions: through a record for its readers, and by a public address for everybody. Contract 4 §3.
import { open as openFile, readFile } from 'node:fs/promises'
import type { Caller } from '../core/accounts/caller.ts'
import { canRead } from '../core/accounts/rules/permissions.ts'
import { findReadableFile } from '../core/records/naming-files.ts'
import { notFound } from '../kernel/errors.ts'
import type { Store } from '../store/port.ts'
import type { ByteRange } from './content/content-store.ts'
import type { BytesOf, ReadableFile } from './files.ts'
import type { Rendition, Renditions } from './pictures/renditions.ts'
import type { PublicAddressService } from './public-addresses.ts'
import { type Focus, focusIn, isMade, type Preset } from './rules/presets.ts'
import { openSignature, publicFileName } from './rules/public-address.ts'
import { parseValues } from '../core/records/rules/record.ts'

/** Bytes of a rendition that is read at once: a stream takes longer. */
const SMALL = 65_536

interface RenditionDeps {
  readonly store: Store
  readonly renditions: Renditions
  readonly publicAddresses: Pick<PublicAddressService, 'key'>
  readonly originals: BytesOf
}

interface Wanted {
  readonly sha256: string
  readonly fileName: string
  readonly preset: Preset
  readonly focus?: Focus | undefined
}

export function createRenditionService({ store, renditions, publicAddresses, originals }: RenditionDeps) {
  async function render({ sha256, fileName, preset, focus }: Wanted, signal: AbortSignal): Promise<ReadableFile> {
    // A rendition may outlive its original, which nobody may see any more.
    const file = (await store.read.files.get([sha256])).get(sha256)
    if (file?.state !== 'kept') throw notFound('File', sha256)
    if (!isMade(preset)) return originals.bytesOf({ ...file, fileName })
    const withOriginal = originals.withFile(sha256)
    const rendition = await renditions.get({ sha256, preset, focus, withOriginal }, signal)
    const { size, mediaType, etag } = rendition
    const open = (range?: ByteRange): Promise<AsyncIterable<Uint8Array>> => readBytes(rendition, range)
    return { sha256, fileName: publicFileName(fileName, preset), mediaType, size, etag, open }
  }

  return {
    /** @throws NOT_FOUND for a file that no readable value of the record names, NOT_RENDERABLE, UNAVAILABLE */
    async ofRecord(
      caller: Caller,
      { recordId, sha256, presetId }: { readonly recordId: string; readonly sha256: string; readonly presetId: string },
      signal: AbortSignal,
    ): Promise<ReadableFile> {
      const value = await findReadableFile(store.read, caller.role, recordId, sha256)
      if (value === undefined) throw notFound('File', sha256, `no value of the record '${recordId}' names it`)
      const preset = await store.read.renditionPresets.find(presetId)
      const focus = preset.focus === undefined ? undefined : await findFocus(caller, recordId, preset.focus)
      return render({ sha256, fileName: value.fileName, preset, focus }, signal)
    },

    /** @throws NOT_FOUND for an address that this workspace has not given, NOT_RENDERABLE, UNAVAILABLE */
    async byAddress(
      {
        signature,
        presetId,
        fileName,
      }: { readonly signature: string; readonly presetId: string; readonly fileName: string },
      signal: AbortSignal,
    ): Promise<ReadableFile> {
      const preset = await store.read.renditionPresets.get(presetId)
      const content = preset && openSignature(await publicAddresses.key(), signature, preset)
      if (content === undefined) throw notFound('File', `${signature.slice(0, 12)}…`)
      return render({ ...content, fileName, preset: preset! }, signal)
    },
  }

  /** The unscoped value of the attribute, or else the first, of the record or its parent. */
  async function findFocus({ role }: Caller, recordId: string, alias: string): Promise<Focus | undefined> {
    const record = await store.read.records.get(recordId)
    if (record === undefined || !canRead(role, record.schemaId, alias)) return undefined
    const parent = record.parentId === null ? undefined : await store.read.records.get(record.parentId)
    const inherited = parent === undefined ? null : parseValues(parent)
    return focusIn({ own: parseValues(record), inherited }, alias)
  }
}

async function readBytes({ path, size }: Rendition, range: ByteRange | undefined): Promise<AsyncIterable<Uint8Array>> {
  if (size <= SMALL) {
    const bytes = await readFile(path)
    return oneOf(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1))
  }
  const handle = await openFile(path, 'r')
  return handle.createReadStream({ highWaterMark: 256 * 1024, ...range })
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes
}
