// Reads workbooks by another library than the one that writes them, and their XML by a strict parser.
import assert from 'node:assert/strict'
import { inflateRawSync } from 'node:zlib'
import { readSheet as readRows } from 'read-excel-file/node'
import { SaxesParser } from 'saxes'

export type ReadCell = string | number | boolean | Date | null

/** The rows of the only sheet. */
export async function readSheet(bytes: Buffer): Promise<ReadCell[][]> {
  assertWellFormed(bytes)
  return (await readRows(bytes, { trim: false })) as ReadCell[][]
}

/** The parts of the archive by name, from its directory. */
export function partsOf(bytes: Buffer): Map<string, string> {
  const parts = new Map<string, string>()
  const end = bytes.lastIndexOf('PK\x05\x06')
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const local = bytes.readUInt32LE(at + 42)
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(begin, begin + size)
    parts.set(name, (method === 8 ? inflateRawSync(packed) : packed).toString())
    at += 46 + nameLength + extra + comment
  }
  return parts
}

function assertWellFormed(bytes: Buffer): void {
  const parts = partsOf(bytes)
  for (const name of ['[Content_Types].xml', 'xl/workbook.xml', 'xl/worksheets/sheet1.xml', 'xl/styles.xml'])
    assert.ok(parts.has(name), name)
  for (const [name, xml] of parts) {
    const parser = new SaxesParser({ xmlns: true })
    parser.on('error', (error) => assert.fail(`${name}: ${error.message}`))
    parser.write(xml).close()
  }
}
