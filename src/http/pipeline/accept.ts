// Whether a client prefers a page or JSON. RFC 9110 §12.5.1.

/** True for the Accept header of a browser: it names text/html before application/json, or without it. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const ranges = accept.split(',', MAX_RANGES).map(readRange)
  const [html, json] = [findRange(ranges, 'text/html'), findRange(ranges, 'application/json')]
  if (html === undefined || html.quality === 0) return false
  if (json === undefined || html.quality !== json.quality) return html.quality > (json?.quality ?? 0)
  return html.precision > json.precision
}

/** Browsers name fewer than ten. */
const MAX_RANGES = 50

interface Range {
  readonly type: string
  /** 0: not wanted. */
  readonly quality: number
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The most precise range that covers the type decides. */
function findRange(ranges: readonly Range[], type: string): { quality: number; precision: number } | undefined {
  const names = ['*/*', `${type.split('/')[0]}/*`, type]
  const found = ranges
    .map((range) => ({ quality: range.quality, precision: names.indexOf(range.type) }))
    .filter(({ precision }) => precision >= 0)
  return found.sort((one, other) => other.precision - one.precision)[0]
}
