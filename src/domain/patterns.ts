// Regular expressions of attribute validation. They come from clients, so they run on RE2 (linear time, no catastrophic
// backtracking). Decisions §3.
import { RE2JS } from 're2js'

const compiled = new Map<string, RE2JS>()
const KEPT = 1000

/** Whether `pattern` occurs in `text`; anchor it with ^ and $ to match the whole. @throws Error for an invalid pattern. */
export function matchesPattern(pattern: string, text: string): boolean {
  return compilePattern(pattern).matcher(text).find()
}

/** Why `pattern` is not a valid RE2 expression, or undefined. */
export function findPatternFault(pattern: string): string | undefined {
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const fresh = RE2JS.compile(pattern)
  if (compiled.size >= KEPT) compiled.clear()
  compiled.set(pattern, fresh)
  return fresh
}
