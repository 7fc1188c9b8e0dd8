// The licences of everything that is in the bundle, as those licences ask of who hands it on.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The text. `files`: of the packages, from `root`; others are passed over. */
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

/** That of Node itself, from beside one of the binaries that may have it in their package. */
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

/** Its licence file, or what its manifest names where it has none. */
function textOf(directory: string, { license }: Manifest): string {
  const name = readdirSync(directory).find((candidate) => /^licen[cs]e(\.(md|txt))?$/i.test(candidate))
  if (name !== undefined) return readFileSync(path.join(directory, name), 'utf8')
  if (license !== undefined) return `${license} licence`
  throw new Error(`${directory} does not say under which licence it is`)
}
