// A zip file as a stream of entries that are stored, not packed: pictures are packed already. Sizes and checksums stand before the
// bytes, so that readers of streams take it, too. Nothing is held of entries that are written: the central directory is made of a list.
// The package yazl holds all entries, and looks through all of them for each.

interface ZipEntry {
  readonly name: string
  /** Bytes. */
  readonly size: number
  readonly crc32: number
}

export interface PlacedEntry extends ZipEntry {
  /** The byte at which its header begins. */
  readonly offset: number
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
/** The version that reads zip64. */
const VERSION = 45
/** The name is UTF-8. */
const FLAGS = 0x0800
const MAX_16 = 0xffff
const MAX_32 = 0xffffffff
/** An ordinary file that everybody may read; made by Unix. */
const MADE_BY = (3 << 8) | VERSION
const ATTRIBUTES = 0o100644 * 0x10000

/** The bytes before the content of an entry. */
export function localHeader({ name, size, crc32 }: ZipEntry, at: Date): Buffer {
  const bytes = Buffer.from(name)
  const extra = size >= MAX_32 ? extra64([size, size]) : Buffer.alloc(0)
  const head = new Fields(30).u32(LOCAL).u16(VERSION).u16(FLAGS).u16(0).u32(dosTime(at)).u32(crc32)
  head.u32(Math.min(size, MAX_32)).u32(Math.min(size, MAX_32)).u16(bytes.length).u16(extra.length)
  return Buffer.concat([head.bytes, bytes, extra])
}

/** The entry in the central directory. */
export function centralHeader({ name, size, crc32, offset }: PlacedEntry, at: Date): Buffer {
  const bytes = Buffer.from(name)
  const large = [...(size >= MAX_32 ? [size, size] : []), ...(offset >= MAX_32 ? [offset] : [])]
  const extra = large.length > 0 ? extra64(large) : Buffer.alloc(0)
  const head = new Fields(46).u32(CENTRAL).u16(MADE_BY).u16(VERSION).u16(FLAGS).u16(0).u32(dosTime(at)).u32(crc32)
  head.u32(Math.min(size, MAX_32)).u32(Math.min(size, MAX_32)).u16(bytes.length).u16(extra.length)
  head.u16(0).u16(0).u16(0).u32(ATTRIBUTES).u32(Math.min(offset, MAX_32))
  return Buffer.concat([head.bytes, bytes, extra])
}

/** @param directory where the central directory begins, and its bytes */
export function endOfZip(count: number, { offset, size }: { readonly offset: number; readonly size: number }): Buffer {
  const large = new Fields(56).u32(END_64).u64(44).u16(MADE_BY).u16(VERSION).u32(0).u32(0)
  large.u64(count).u64(count).u64(size).u64(offset)
  const locator = new Fields(20)
    .u32(LOCATOR_64)
    .u32(0)
    .u64(offset + size)
    .u32(1)
  const small = Math.min(count, MAX_16)
  const end = new Fields(22).u32(END).u16(0).u16(0).u16(small).u16(small)
  end.u32(Math.min(size, MAX_32)).u32(Math.min(offset, MAX_32)).u16(0)
  return Buffer.concat([large.bytes, locator.bytes, end.bytes])
}

function extra64(numbers: readonly number[]): Buffer {
  const fields = new Fields(4 + 8 * numbers.length).u16(1).u16(8 * numbers.length)
  for (const number of numbers) fields.u64(number)
  return fields.bytes
}

/** Time in the low half, date in the high one. */
function dosTime(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107)
  const date = ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return date * 0x10000 + time
}

/** Numbers one after another, the low byte first. */
class Fields {
  readonly bytes: Buffer
  #at = 0

  constructor(size: number) {
    this.bytes = Buffer.alloc(size)
  }

  u16(value: number): this {
    this.#at = this.bytes.writeUInt16LE(value, this.#at)
    return this
  }

  u32(value: number): this {
    this.#at = this.bytes.writeUInt32LE(value, this.#at)
    return this
  }

  u64(value: number): this {
    this.#at = this.bytes.writeBigUInt64LE(BigInt(value), this.#at)
    return this
  }
}
