// The text of HTML in one line. Nothing is parsed as a page, so no code in it can run.
import { decodeEntities } from '../../src/core/values/html-entities.ts'

/** The most characters of HTML that are examined. */
const LOOKED_AT = 4000

export function textOfHtml(html: string): string {
  if (!/[<&]/.test(html)) return html
  const text = html
    .slice(0, LOOKED_AT)
    .replaceAll(/<!--[^]*?-->|<(script|style)\b[^]*?<\/\1\s*>/gi, '')
    .replaceAll(
      /<\/?(?:address|article|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|t[dhr]|table|ul)\b[^>]*>/gi,
      ' ',
    )
    .replaceAll(/<[a-z!/][^>]*>?/gi, '')
  return decodeEntities(text).replaceAll(/\s+/g, ' ').trim()
}
