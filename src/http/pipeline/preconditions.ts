// ETag, If-Match and If-None-Match (RFC 9110 §13). `formatEtag` makes ETags.
import { plainTag } from '../answers/gzip.ts'
import type { IfMatch } from '../../core/records/precondition.ts'

/** Only strong tags in pimlet's form match; other tags are ignored. */
export function parseIfMatch(header: string | undefined): IfMatch {
  if (header === undefined) return undefined
  const text = header.trim()
  if (text === '*') return '*'
  const versions: number[] = []
  for (const tag of splitTags(text).map(plainTag)) if (/^"\d{1,15}"$/.test(tag)) versions.push(Number(tag.slice(1, -1)))
  return versions
}

/** Whether the client already has this version (If-None-Match). */
export function isNotModified(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return (
    header.trim() === '*' ||
    splitTags(header)
      .map(plainTag)
      .some((tag) => tag === etag || tag === `W/${etag}`)
  )
}

function splitTags(text: string): string[] {
  return text.split(',').map((tag) => tag.trim())
}
