// A csv in whatever dialect as one in UTF-8, whose rows can be told apart and sent in parts. Contract 3 §4.
import type { Readable } from 'node:stream'
import { decodeBytes } from '../imports/csv-decoding.ts'
import { detectDialect } from '../imports/csv-detection.ts'
import type { AskedDialect, Delimiter } from '../domain/csv/source-dialect.ts'
import { peek } from '../imports/peeking.ts'

export interface PlainCsv {
  readonly open: () => AsyncIterable<Buffer>
  /** What the server is to be told of each part. */
  readonly dialect?: { readonly delimiter: Delimiter; readonly decimal?: string; readonly encoding: string }
}

/** Reads as much of the file as says how it is written. One that is read once only, as a stream, must say it itself. */
export async function asPlainCsv(open: () => Readable, asked: AskedDialect): Promise<PlainCsv> {
  const decoded = decodeBytes(open() as AsyncIterable<Buffer>, asked.encoding)
  const { sample, isWhole, chunks } = await peek(decoded.chunks)
  const found = detectDialect(sample, isWhole, asked.delimiter)
  let first: AsyncIterable<Buffer> | undefined = chunks
  const { decimal = found.decimal } = asked
  return {
    open: () => {
      const begun = first ?? decodeBytes(open() as AsyncIterable<Buffer>, asked.encoding).chunks
      first = undefined
      return begun
    },
    // A dot is found again by each part, where nothing else seems likelier.
    dialect: { delimiter: found.delimiter, encoding: 'utf-8', ...(decimal === ',' ? { decimal } : {}) },
  }
}
