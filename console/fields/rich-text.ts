// The text of HTML, as far as one line shows it. Nothing is parsed as a page, so nothing in it can run.
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
])
/** Characters of HTML that are looked at. */
const LOOKED_AT = 4000

export function textOfHtml(html: string): string {
  if (!/[<&]/.test(html)) return html
  return html
    .slice(0, LOOKED_AT)
    .replaceAll(/<!--[^]*?-->|<(script|style)\b[^]*?<\/\1\s*>/gi, '')
    .replaceAll(
      /<\/?(?:address|article|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|t[dhr]|table|ul)\b[^>]*>/gi,
      ' ',
    )
    .replaceAll(/<[a-z!/][^>]*>?/gi, '')
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));?/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES.get(String(name).toLowerCase()) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code).toWellFormed() : whole
    })
    .replaceAll(/\s+/g, ' ')
    .trim()
}
