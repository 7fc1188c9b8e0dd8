// Finds exports that no file imports, because they only look used.
import path from 'node:path'

const IMPORT = /^(?:import|export)\s(?:type\s)?(?:\w+,\s)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/gm
/** `import()` and `import *` may use any name. */
const WHOLE = /\bimport\(\s*'(\.[^']+)'\s*\)|^import\s(?:type\s)?\*\sas\s\w+\sfrom\s'(\.[^']+)'/gm
const EXPORT =
  /^export (?:declare )?(?:(?:abstract )?class|(?:async )?function\*?|const|let|interface|type|enum) +(\w+)/gm
const CHECKED = /^(?:src|plugins|console)\//
/** Modules that plugins import, and words, which the build of the console finds by their folder. */
const PUBLIC = /^(?:src\/kernel\/destination\.ts|console\/words\/\w+\/\w+\.ts)$/

/**
 * @param texts of sources and tests, by path from the root
 * @returns `path name` of each unused export
 */
export function findUnusedExports(texts: ReadonlyMap<string, string>): string[] {
  const used = new Set<string>()
  const whole = new Set<string>()
  for (const [file, text] of texts) {
    const resolve = (name: string): string => path.posix.join(path.posix.dirname(file), name)
    for (const [, names, from] of text.matchAll(IMPORT))
      for (const name of names!.split(',')) used.add(`${resolve(from!)} ${importedName(name)}`)
    for (const [, lazy, star] of text.matchAll(WHOLE)) whole.add(resolve((lazy ?? star)!))
  }
  return [...texts].flatMap(([file, text]) => {
    if (!CHECKED.test(file) || PUBLIC.test(file) || whole.has(file)) return []
    return [...text.matchAll(EXPORT)].map(([, name]) => `${file} ${name}`).filter((one) => !used.has(one))
  })
}

/** `type A as B` → `A` */
function importedName(text: string): string {
  return text
    .trim()
    .replace(/^type /, '')
    .replace(/ as .*$/s, '')
}
