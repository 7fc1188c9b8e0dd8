// A name that a user gives is looked up among the own members of an object alone. Attributes, dimensions, options, headers and the like
// may be called as what every object has: `{}['constructor']` is a function. This looks at the types of all sources.
import assert from 'node:assert/strict'
import path from 'node:path'
import { before, describe, it } from 'node:test'
import {
  type ElementAccessExpression,
  isBinaryExpression,
  isElementAccessExpression,
  isNonNullExpression,
  isStringLiteral,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync'

const ROOT = path.resolve(import.meta.dirname, '..')
const SOURCES = /^(src|plugins|console)\//
const TEXTS = TypeFlags.String | TypeFlags.Any | TypeFlags.TemplateLiteral | TypeFlags.StringMapping

/** Where the names are those of the code itself: keys of a keyboard, tables, routes, characters that a pattern has found. */
const OUR_NAMES: ReadonlySet<string> = new Set([
  'console/api/call.ts',
  'console/exports/columns-field.tsx',
  'console/grid/keys.ts',
  'console/kit/tabs.tsx',
  'console/words/words.ts',
  'src/cli/command-line.ts',
  'src/docs-host/guides.ts',
  'src/imports/rules/date-pattern.ts',
  'src/exports/destinations/conformance.ts',
  'src/exports/formats/xml.ts',
  'src/exports/engine/retry.ts',
  'src/exports/routes/destination-components.ts',
  'src/http/openapi/document.ts',
  'src/http/openapi/json-schemas.ts',
  'src/http/openapi/operations.ts',
  'src/http/pipeline/prepared-route.ts',
  'src/kernel/input/parse.ts',
  'src/kernel/settings/settings.ts',
  'src/postgres/moving/content.ts',
  'src/postgres/search-index/stored-keys.ts',
  'src/store/moving/tables.ts',
  'src/store/rows/bulk-job-rows.ts',
  'src/store/sqlite/moving/content.ts',
])
/** Where a member is written whose name is an ID or alias: none of these is `__proto__`. Or the object has no prototype. */
const WRITTEN: ReadonlySet<string> = new Set([
  'src/imports/rules/scope-words.ts',
  'src/core/scopes/grid.ts',
  'src/exports/formats/json-formats.ts',
  'src/http/pipeline/query.ts',
  'src/imports/line-values.ts',
])

function findAsked(config: string, api: API): readonly string[] {
  const file = path.join(ROOT, config)
  const { program, checker } = api.updateSnapshot({ openProject: file }).getProject(file)!
  return program.getSourceFileNames().flatMap((name) => {
    const relative = path.relative(ROOT, name).replaceAll('\\', '/')
    if (!SOURCES.test(relative) || OUR_NAMES.has(relative)) return []
    const source = program.getSourceFile(name)!
    return accessesIn(source, checker)
      .filter((access) => !(WRITTEN.has(relative) && isWritten(access)))
      .map((access) => `${relative}: ${access.getText()}`)
  })
}

/** Those of an object that is no list, by any text, where nothing says that the name is its own. */
function accessesIn(source: SourceFile, checker: Checker): readonly ElementAccessExpression[] {
  const found: ElementAccessExpression[] = []
  const look = (node: Node): void => {
    if (isElementAccessExpression(node) && !isStringLiteral(node.argumentExpression) && !isKnownOwn(node))
      found.push(node)
    node.forEachChild(look)
  }
  look(source)
  if (found.length === 0) return []
  const names = checker.getTypeAtLocation(found.map(({ argumentExpression }) => argumentExpression))
  const objects = checker.getTypeAtLocation(found.map(({ expression }) => expression))
  return found.filter((_, at) => isAnyText(names[at], checker) && !checker.isArrayLikeType(objects[at]!))
}

/** Whether a function around it asks `Object.hasOwn`, or goes through the own names of the object. */
function isKnownOwn({ expression, argumentExpression, parent }: ElementAccessExpression): boolean {
  const object = textOf(expression)
  const checks = [
    `Object.hasOwn(${object}, ${argumentExpression.getText()})`,
    `Object.keys(${object})`,
    `Object.entries(${object})`,
  ]
  for (let node: Node = parent; node.parent !== undefined; node = node.parent)
    if (isFunction(node) && checks.some((check) => node.getText().includes(check))) return true
  return false
}

const isFunction = ({ kind }: Node): boolean =>
  [SyntaxKind.ArrowFunction, SyntaxKind.FunctionDeclaration, SyntaxKind.MethodDeclaration].includes(kind)

/** Without the marks that TypeScript alone reads: `stored!.secrets`. */
function textOf(node: Node): string {
  return isNonNullExpression(node) ? textOf(node.expression) : node.getText()
}

function isWritten(access: ElementAccessExpression): boolean {
  const { parent } = access
  return isBinaryExpression(parent) && parent.left === access && parent.operatorToken.kind === SyntaxKind.EqualsToken
}

function isAnyText(type: Type | undefined, checker: Checker): boolean {
  if (type === undefined) return true
  if ((type.flags & TypeFlags.TypeParameter) !== 0) return isAnyText(checker.getBaseConstraintOfType(type), checker)
  return (type.flags & TEXTS) !== 0
}

describe('Names that users give', () => {
  // What the console imports of the routes: without it their names would be of any type.
  before(() => import('../scripts/build/api-types.ts'))

  it('are looked up among own members alone, by `own` of src/kernel/own.ts or beside `Object.hasOwn`', () => {
    const api = new API({ cwd: ROOT })
    try {
      const asked = ['tsconfig.json', 'console/tsconfig.json'].flatMap((config) => findAsked(config, api))
      assert.deepEqual([...new Set(asked)], [])
    } finally {
      api.close()
    }
  })
})
