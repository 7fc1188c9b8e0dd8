// Removes unused shapes of input from bundles for browsers, because the server checks input. Making a shape has no
// effect, but esbuild cannot know this, and would keep all shapes and valibot.
import type { Plugin } from 'esbuild'
import { readFileSync } from 'node:fs'

/** A constant of a module up to the end of its statement. The formatter starts only its last line without a space. */
const CONSTANT = /^((?:export )?const [^=\n]+ = )(.*\n(?:(?:[ )\]}].*)?\n)*)/gm
/** Files with shapes of input that a browser may load. */
const RULES = /src[\\/](?:kernel|core[\\/](?:csv|datatypes|scopes|values)|(?:core[\\/])?\w+[\\/]rules)[\\/].*\.ts$/
/** Code that makes shapes: valibot, and functions that combine shapes. */
const SHAPE = /\bv\.|\b(exactObject|choiceOf|listOf|boundedCriteria)\(|'~run'/

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

/** esbuild drops a call with this mark if its result is unused. */
function withoutEffect(statement: string, head: string, value: string): string {
  return SHAPE.test(value) ? `${head}/* @__PURE__ */ (() => (${value.trimEnd()}))()\n` : statement
}
