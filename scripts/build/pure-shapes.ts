// Leaves shapes of input, which the server checks, out of what is bundled for a browser. Making one has no effect, but esbuild cannot
// know that, and would keep them all, and valibot with them.
import type { Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'

/** A constant of a module, to the end of its statement: as the formatter writes them, only its last line begins with no space. */
const CONSTANT = /^((?:export )?const [^=\n]+ = )(.*\n(?:(?:[ )\]}].*)?\n)*)/gm
/** Files with shapes of input that a browser may load. */
const RULES = /src[\\/](?:kernel|core[\\/](?:csv|datatypes|scopes|values)|(?:core[\\/])?\w+[\\/]rules)[\\/].*\.ts$/
/** What makes shapes: valibot, and functions that make shapes of shapes. */
const SHAPE = /\bv\.|\b(exactObject|listOf|boundedCriteria)\(|'~run'/

export function pureShapes(): Plugin {
  return {
    name: 'pure-shapes',
    setup(build) {
      build.onLoad({ filter: RULES }, ({ path: file }) => ({
        contents: readFileSync(file, 'utf8').replaceAll(CONSTANT, withoutEffect),
        loader: 'ts',
      }))
    },
  }
}

/** esbuild drops a call that is marked so where nobody uses what it returns. */
function withoutEffect(statement: string, head: string, value: string): string {
  return SHAPE.test(value) ? `${head}/* @__PURE__ */ (() => (${value.trimEnd()}))()\n` : statement
}
