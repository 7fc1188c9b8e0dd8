// Makes zips for tests, byte by byte, so that they can be wrong in one place.
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly name: string | Buffer
  readonly bytes: Buffer
  /** 0: stored; 8: deflated, as usual. */
  readonly method?: number
  readonly flags?: number
  /** In place of what is true. */
  readonly crc?: number
  readonly size?: number
  /** Bytes of the packed content in place of the true ones. */
  readonly packed?: Buffer
}

export const UTF8 = 0x800
export const ENCRYPTED = 1

export function part(
  name: string | Buffer,
  bytes: Buffer | string = String(name),
  more: Partial<ZipPart> = {},
): ZipPart {
  return { name, bytes: Buffer.from(bytes), ...more }
}

/** The names are UTF-8 and say so, unless `flags` say something else. */
export function zipOf(...parts: readonly ZipPart[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, bytes, method = 0, flags = UTF8, packed: given, ...told } of parts) {
    const packed = given ?? (method === 8 ? deflateRawSync(bytes) : bytes)
    const raw = Buffer.from(name)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(flags, 2)
    head.writeUInt16LE(method, 4)
    head.writeUInt32LE(0x5a_21_00_00, 6)
    head.writeUInt32LE(told.crc ?? crc32(bytes), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(told.size ?? bytes.length, 18)
    head.writeUInt16LE(raw.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, raw, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), head, rest, raw)
    files.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, central, end])
}
