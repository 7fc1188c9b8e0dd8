// Text as bytes, in the encodings that imports are read in. Contract 3 §10.
import type { Encoding } from './source-dialect.ts'

/** The characters of windows-1252 from 0x80 to 0x9f; 0: none. */
const HIGH = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017d, 0, 0,
  0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
]
const TO_1252 = new Map(HIGH.map((code, index) => [code, 0x80 + index]))
const QUESTION = 0x3f

/** Characters outside the encoding become question marks. */
export function encodeText(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  if (encoding === 'utf-16le') {
    const bytes = new Uint8Array(2 * text.length)
    const view = new DataView(bytes.buffer)
    for (let at = 0; at < text.length; at += 1) view.setUint16(2 * at, text.charCodeAt(at), true)
    return bytes
  }
  return Uint8Array.from(text, (character) => {
    const code = character.codePointAt(0)!
    if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code
    return TO_1252.get(code) ?? (code < 0xa0 ? code : QUESTION)
  })
}
