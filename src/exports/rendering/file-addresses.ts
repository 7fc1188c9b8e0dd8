// Public addresses of files in columns. The main thread opens the book; the render thread writes addresses with it. Contract 4 §3, 4 §4.
import { canRead, type Role } from '../../core/accounts/rules/permissions.ts'
import { invalid, shorten } from '../../kernel/errors.ts'
import { type Focus, focusIn, isMade, type Preset } from '../../files/rules/presets.ts'
import { publicPath } from '../../files/rules/public-address.ts'
import type { Reads } from '../../store/port.ts'
import type { AddressOf, Holder } from '../rules/column-sources.ts'
import { type ExportColumn, presetsIn } from '../rules/export-columns.ts'

/** The key and the settings that addresses are made with. The book can be sent to a thread. */
export interface AddressBook {
  /** In base64. */
  readonly key: string
  /** The address of the server, before the paths; may be empty. */
  readonly publicUrl: string
  /** The presets of the columns. */
  readonly presets: readonly Preset[]
}

/** Gives addresses; `src/files/public-addresses.ts` implements it. */
export interface AddressSource {
  readonly publicUrl: string
  key(): Promise<Buffer>
}

/** null: no column writes an address. @throws VALIDATION_ERROR for a preset that does not exist */
export async function openAddressBook(
  columns: readonly ExportColumn[] | null,
  reads: Pick<Reads, 'renditionPresets'>,
  source: AddressSource,
): Promise<AddressBook | null> {
  const presets = await findPresets(columns ?? [], reads)
  if (presets.length === 0) return null
  return { key: (await source.key()).toString('base64'), publicUrl: source.publicUrl, presets }
}

/** The presets that columns name. @throws VALIDATION_ERROR naming the column of one that does not exist */
export async function findPresets(
  columns: readonly ExportColumn[],
  reads: Pick<Reads, 'renditionPresets'>,
): Promise<Preset[]> {
  const found = new Map<string, Preset>()
  for (const [index, column] of columns.entries())
    for (const id of presetsIn(column)) {
      const preset = found.get(id) ?? (await reads.renditionPresets.get(id))
      if (preset === undefined)
        throw invalid(`columns[${index}].preset names the unknown rendition preset '${shorten(id, 128)}'`)
      found.set(id, preset)
    }
  return [...found.values()]
}

/** The attributes that presets take the centre of a picture from. */
export function focusAliases(book: AddressBook | null): string[] {
  return (book?.presets ?? []).flatMap(({ focus }) => focus ?? [])
}

/** The centre of a picture, where the role may read it. */
export function focusOfHolder({ focus: alias }: Preset, { schema, layers }: Holder, role: Role): Focus | undefined {
  const isReadable = alias !== undefined && schema !== undefined && canRead(role, schema.id, alias)
  return isReadable ? focusIn(layers, alias) : undefined
}

export function addressesOf(book: AddressBook | null, role: Role): AddressOf {
  if (book === null) return () => undefined
  const key = Buffer.from(book.key, 'base64')
  const presets = new Map(book.presets.map((preset) => [preset.id, preset]))
  return ({ sha256, fileName, mediaType }, presetId, holder) => {
    const preset = presets.get(presetId)
    // A file that is no picture has no rendition.
    if (preset === undefined || (isMade(preset) && !mediaType.startsWith('image/'))) return undefined
    const focus = focusOfHolder(preset, holder, role)
    return book.publicUrl + publicPath(key, { sha256, fileName, preset, focus })
  }
}
