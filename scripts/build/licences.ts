// Collects the licences of all parts of the bundle, which these licences require on redistribution.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** Returns the text. @param files of packages, from `root`; other files are ignored */
export function collectLicences(root: string, files: Iterable<string>): string {
  const directories = new Set<string>()
  for (const file of files) {
    const [, directory] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? []
    if (directory !== undefined) directories.add(path.join(root, directory))
  }
  const titles = new Map<string, string[]>()
  for (const directory of [...directories].sort()) {
    const manifest = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as Manifest
    const text = textOf(directory, manifest)
    titles.set(text, [...(titles.get(text) ?? []), `${manifest.name} ${manifest.version}`])
  }
  return [...titles].map(([text, names]) => section(names.join('\n'), text)).join('\n')
}

/** Returns the licence of Node, from beside one of the binaries whose package may contain it. */
export function licenceOfNode(binaries: readonly string[], version: string): string {
  const file = binaries.map((binary) => path.join(binary, '../../LICENSE')).find((name) => existsSync(name))
  const text =
    file === undefined ? `https://github.com/nodejs/node/blob/v${version}/LICENSE` : readFileSync(file, 'utf8')
  return section(`Node.js ${version}`, text)
}

function section(title: string, text: string): string {
  const line = '='.repeat(80)
  return `${line}\n${title}\n${line}\n\n${text.trim()}\n`
}

const LESSER = 'LGPL-3.0'

/** Returns the licence file of a package, or the name of the licence in its manifest. */
function textOf(directory: string, { license }: Manifest): string {
  if (license?.includes(LESSER) === true) return lesserTextOf(directory)
  const name = readdirSync(directory).find((candidate) => /^licen[cs]e(\.(md|txt))?$/i.test(candidate))
  if (name !== undefined) return readFileSync(path.join(directory, name), 'utf8')
  if (license !== undefined) return `${license} licence`
  throw new Error(`${directory} does not say under which licence it is`)
}

/** Returns the package's own text about its parts and their licences, with the texts that the LGPL requires beside it. */
function lesserTextOf(directory: string): string {
  const texts = ['LGPL-3.0.txt', 'GPL-3.0.txt'].map((name) => path.join(import.meta.dirname, 'licences', name))
  return [path.join(directory, 'README.md'), ...texts].map((file) => readFileSync(file, 'utf8').trim()).join('\n\n')
}
