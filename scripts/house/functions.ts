// Measures the functions of a source file in lines, without blank lines, comments, nested functions and tables.
import { type Node, parse } from 'acorn'
import { stripTypeScriptTypes } from 'node:module'

interface MeasuredFunction {
  /** From 1. */
  readonly line: number
  readonly lines: number
}

/** A literal with at least this many lines is a table, and is not counted. */
const TABLE_LINES = 10
const LITERAL = /^(?:ObjectExpression|ArrayExpression)$/
const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/

/** @param text of a file with erasable TypeScript */
export function measureFunctions(text: string): MeasuredFunction[] {
  const code = new Set(text.split('\n').flatMap((line, index) => (isCode(line) ? [index + 1] : [])))
  const program = parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module', locations: true })
  const measured: MeasuredFunction[] = []
  visit(program, (node) => {
    const lines = linesOf(node, code)
    visitParts(node, (part) => {
      for (const line of linesOf(part, code)) lines.delete(line)
    })
    measured.push({ line: node.loc!.start.line, lines: lines.size })
  })
  return measured
}

function isCode(line: string): boolean {
  return !/^\s*(?:$|\/\/|\/?\*)/.test(line)
}

function linesOf({ loc }: Node, code: ReadonlySet<number>): Set<number> {
  const lines = new Set<number>()
  for (let line = loc!.start.line; line <= loc!.end.line; line += 1) if (code.has(line)) lines.add(line)
  return lines
}

/** Calls `see` with each function at any depth. */
function visit(node: Node, see: (node: Node) => void): void {
  if (FUNCTION.test(node.type)) see(node)
  for (const child of childrenOf(node)) visit(child, see)
}

/** Calls `see` with the outermost functions and tables within `node`. */
function visitParts(node: Node, see: (part: Node) => void): void {
  for (const child of childrenOf(node)) {
    if (FUNCTION.test(child.type) || isTable(child)) see(child)
    else visitParts(child, see)
  }
}

function isTable({ type, loc }: Node): boolean {
  return LITERAL.test(type) && loc!.end.line - loc!.start.line >= TABLE_LINES
}

function childrenOf(node: Node): Node[] {
  return (Object.values(node).flat() as unknown[]).filter(isNode)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string'
}
