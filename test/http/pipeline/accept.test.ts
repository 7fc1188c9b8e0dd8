// Who is sent to a page: browsers, and nobody who did not ask for one.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { prefersHtml } from '../../../src/http/pipeline/accept.ts'

describe('The Accept header', () => {
  it('of browsers prefers a page', () => {
    for (const accept of [
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
      'text/html, application/xhtml+xml, image/jxr, */*',
      'text/html',
      'TEXT/HTML; charset=utf-8',
      'application/json;q=0.5, text/*',
    ])
      assert.equal(prefersHtml(accept), true, accept)
  })

  it('of everybody else prefers JSON', () => {
    for (const accept of [
      undefined,
      '',
      '*/*',
      'application/json',
      'application/json, text/html',
      'application/json, text/html;q=0.9, */*;q=0.1',
      'text/html;q=0',
      'text/html;q=nothing',
      'text/plain',
      '*/*, text/html;q=0.5',
    ])
      assert.equal(prefersHtml(accept), false, accept)
  })
})
