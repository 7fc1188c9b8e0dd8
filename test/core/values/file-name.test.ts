// Names of files: cleaned of paths and control characters.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { threadTime } from '../../helpers/thread-time.ts'
import { cleanFileName } from '../../../src/core/values/file-name.ts'

describe('The name of a file', () => {
  const named: readonly (readonly [given: string, clean: string])[] = [
    ['hemd.jpg', 'hemd.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\bilder\\hemd rot.jpg', 'hemd rot.jpg'],
    ['a\u0000b\nc.png', 'abc.png'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['  spaced \t name.gif ', 'spaced name.gif'],
    ['..', 'file'],
    ['', 'file'],
    ['bilder/', 'file'],
    ['.gitignore', '.gitignore'],
    ['größe.jpeg', 'größe.jpeg'],
  ]
  for (const [given, clean] of named)
    it(`is ${JSON.stringify(clean)} for ${JSON.stringify(given)}`, () => assert.equal(cleanFileName(given), clean))

  it('keeps its ending when it is shortened', () => {
    const name = cleanFileName(`${'ä😀'.repeat(200)}.jpeg`)
    assert.ok(name.length <= 255)
    assert.match(name, /^(?:ä😀)+ä?\.jpeg$/u)
  })

  it('is shortened in hardly more time than it is read', () => {
    const text = 'x'.repeat(8e6)
    const timeOf = (given: string): number => {
      const started = threadTime()
      cleanFileName(given)
      return Math.max(5, threadTime() - started)
    }
    const read = timeOf(`${text}/short.png`)
    assert.ok(timeOf(text) < 10 * read)
  })

  it('is never empty, long, a path or a control character, and is its own clean name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const clean = cleanFileName(given)
        assert.ok(clean.length >= 1 && clean.length <= 255)
        assert.doesNotMatch(clean, /[/\\\p{C}]/u)
        assert.notEqual(clean, '..')
        assert.equal(cleanFileName(clean), clean)
      }),
    )
  })
})
