// The guides as pages: all of them, complete, and with no link that leads nowhere.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { builtInDestinations } from '../../plugins/index.ts'
import { readPages } from '../../src/kernel/executable/assets.ts'
import { GUIDES, renderGuide } from '../../src/docs-host/guides.ts'

const root = path.join(import.meta.dirname, '../..')
const pageOf = (name: string): string => renderGuide(name)!
const idsOf = (html: string): string[] => [...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id!)
const linksOf = (html: string): string[] => [...html.matchAll(/\bhref="([^"]+)"/g)].map(([, href]) => href!)

describe('The guides', () => {
  // Some pages are for those who change pimlet.
  const INNER = new Set(['internals.md', 'console-design.md'])

  it('are all files of docs/ but those on the inside, the README and the one on destinations', () => {
    const files = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !INNER.has(name))
      .map((name) => `docs/${name.replaceAll(path.sep, '/')}`)
    assert.deepEqual(
      GUIDES.map(({ file }) => file).sort(),
      [...files, 'README.md', 'plugins/README.md'].sort(),
      'src/docs-host/guides.ts and pages/docs/index.html list the guides',
    )
  })

  it('have one for each built-in destination', () => {
    const ofDestinations = GUIDES.flatMap(({ name }) => /^destination-(.+)/.exec(name)?.[1] ?? [])
    assert.deepEqual(ofDestinations.sort(), builtInDestinations.map(({ type }) => type).sort())
  })

  it('are listed by the reference page, and by each other', () => {
    const addresses = GUIDES.map(({ name }) => `/docs/guides/${name}`)
    for (const html of [readPages('docs').get('index.html')!, ...GUIDES.map(({ name }) => pageOf(name))])
      for (const address of addresses) assert.ok(linksOf(html).includes(address), address)
    for (const { name } of GUIDES)
      assert.match(pageOf(name), new RegExp(`<a href="/docs/guides/${name}" aria-current="page">`))
  })

  it('link to guides and headings that are there', () => {
    for (const { name } of GUIDES) {
      const html = pageOf(name)
      assert.equal(new Set(idsOf(html)).size, idsOf(html).length, `${name} has an ID twice`)
      for (const link of linksOf(html)) {
        if (/^(https?:\/\/|\/docs$|\/docs\/[\w.]+$)/.test(link)) continue
        const [, guide = name, part] = /^(?:\/docs\/guides\/([\w-]+))?(?:#(.+))?$/.exec(link) ?? assert.fail(link)
        assert.ok(
          GUIDES.some((one) => one.name === guide),
          `${name} links to ${link}`,
        )
        if (part !== undefined) assert.ok(idsOf(pageOf(guide)).includes(decodeURIComponent(part)), `${name}: ${link}`)
      }
    }
    assert.match(pageOf('import'), /<a href="\/docs\/guides\/performance">performance<\/a>/)
    assert.match(pageOf('start'), /<a href="\/docs\/guides\/operate#checking-a-workspace">Checks<\/a>/)
  })

  it('have few and small pictures, all that are there, with words in place of them, and not as pages', () => {
    const shown = GUIDES.flatMap(({ name, file }) => {
      assert.doesNotMatch(pageOf(name), /<img/)
      const found = readFileSync(path.join(root, file), 'utf8').matchAll(/!\[(.{20,})\]\((.+?)\)/g)
      return [...found].map(([, , target]) => path.join(root, path.dirname(file), target!))
    })
    const pictures = readdirSync(path.join(root, 'docs/pictures')).map((name) => path.join(root, 'docs/pictures', name))
    assert.deepEqual([...new Set(shown)].sort(), pictures.sort())
    for (const picture of pictures) assert.ok(statSync(picture).size < 60_000, picture)
  })

  it('have every heading, block of code and row of a table of their file', () => {
    for (const { name, file } of GUIDES) {
      const text = readFileSync(path.join(root, file), 'utf8')
      const html = pageOf(name)
      const lines = text.replaceAll(/^```[^]*?^```/gm, '').split('\n')
      const count = (pattern: RegExp) => (html.match(pattern) ?? []).length
      assert.equal(count(/<h\d id=/g), lines.filter((line) => /^#+ /.test(line)).length, name)
      assert.equal(count(/<pre tabindex="0">/g), (text.match(/^ *```.*\n[^]*?^ *```/gm) ?? []).length, name)
      assert.equal(count(/<tr>/g), lines.filter((line) => /^\|(?! ?-)/.test(line)).length, name)
    }
  })

  it('show files of examples/ as they are', () => {
    const text = readFileSync(path.join(root, 'docs/cluster.md'), 'utf8')
    const examples = path.join(root, 'examples/cluster')
    for (const name of readdirSync(examples))
      assert.ok(text.includes(`\n${readFileSync(path.join(examples, name), 'utf8')}\`\`\``), name)
  })

  it('have no script and no style of their own, whatever their text says', () => {
    for (const { name } of GUIDES)
      assert.doesNotMatch(pageOf(name), /<script|<style|<img|<iframe|\sstyle=|\son\w+=/i, name)
    assert.match(pageOf('exports'), /&lt;records&gt;/)
  })

  it('of another name are none', () => {
    for (const name of ['', 'README.md', '../package.json', 'constructor', 'Search'])
      assert.equal(renderGuide(name), undefined)
  })
})
