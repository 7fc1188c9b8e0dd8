// Files that try to run a script in a browser: documents, pictures with scripts, and contents of two kinds at once.
import sharp from 'sharp'

export interface HostileFile {
  readonly name: string
  readonly content: Buffer
}

type Make = (script: string, picture: Buffer) => string | Buffer

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20" height="20"'

const html = (script: string): string => `<!doctype html><html><body><script>${script}</script></body></html>`

const KINDS: Readonly<Record<string, Make>> = {
  'script in svg': (script) => `<svg ${SVG}><rect width="9" height="9"/><script>${script}</script></svg>`,
  'onload in svg': (script) => `<svg ${SVG} onload="${script}"><rect width="9" height="9"/></svg>`,
  'link in svg': (script) => `<svg ${SVG}><a xlink:href="javascript:${script}"><rect width="9" height="9"/></a></svg>`,
  'page in svg': (script) =>
    `<svg ${SVG}><foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml" onload="${script}"/></foreignObject></svg>`,
  'animation in svg': (script) => `<svg ${SVG}><animate onbegin="${script}" attributeName="x" dur="1s"/></svg>`,
  'entity in svg': (script) =>
    `<!DOCTYPE svg [<!ENTITY s "<script xmlns='http://www.w3.org/2000/svg'>${script}</script>">]><svg ${SVG}>&s;</svg>`,
  page: html,
  'page in utf-16': (script) => Buffer.from(`\uFEFF${html(script)}`, 'utf16le'),
  xhtml: (script) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`,
  'xml with a style sheet': (script) =>
    `<?xml version="1.0"?><?xml-stylesheet type="text/xml" href="#s"?><x><s id="s"/><h:script xmlns:h="http://www.w3.org/1999/xhtml">${script}</h:script></x>`,
  'picture and page': (script, picture) => Buffer.concat([picture, Buffer.from(html(script))]),
  'page before a picture': (script, picture) => Buffer.concat([Buffer.from(html(script)), picture]),
  'gif and script': (script) => `GIF89a/*\0\0*/=0;${script}//`,
  script: (script) => script,
  pdf: (script) =>
    `%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(${script.replaceAll(/[()]/g, String.raw`\$&`)})>>>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>`,
  mhtml: (script) => `MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${html(script)}`,
  'style sheet': (script) => `@import "data:text/css,";body{background:url("javascript:${script}")}`,
}

const NAMES = ['a.svg', 'a.html', 'a.jpg', 'a.js', 'a.pdf', '"><script>alert(1)</script>.html', 'a.xhtml', 'a']

/** Distinct files of all kinds in turn. @param scriptOf the script of the file of a number; without quotes, `<` and `&` */
export async function makeHostileFiles(count: number, scriptOf: (index: number) => string): Promise<HostileFile[]> {
  const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#c00' } })
    .jpeg()
    .toBuffer()
  const kinds = Object.values(KINDS)
  return Array.from({ length: count }, (_, index) => ({
    name: NAMES[Math.floor(index / kinds.length) % NAMES.length]!,
    content: Buffer.from(kinds[index % kinds.length]!(scriptOf(index), picture)),
  }))
}
