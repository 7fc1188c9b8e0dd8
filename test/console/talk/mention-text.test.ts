// Mentions as people write them, and as the server stores them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { begunMention, partsOf, toStored, toWritten, withMention } from '../../../console/talk/mention-text.ts'

const anna = { id: 'usr-1', name: 'Anna' }
const annaLee = { id: 'usr-2', name: 'Anna Lee' }
const odd = { id: 'usr-3', name: 'constructor 😀 עברית' }
const all = [anna, annaLee, odd]
const names = new Map(all.map(({ id, name }) => [id, name]))

describe('Mentions in a text', () => {
  it('are stored by ID, and come back with the present name', () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom(...all),
        fc.string().map((text) => `${text.replaceAll('@', '')} `),
      ),
    )
    fc.assert(
      fc.property(words, (parts) => {
        const joined = parts.flatMap((part) => (typeof part === 'string' ? part : [part, '. ']))
        const stored = joined.map((part) => (typeof part === 'string' ? part : `@[${part.id}]`)).join('')
        assert.equal(toStored(toWritten(partsOf(stored, names)), all), stored)
      }),
    )
  })

  it('of the longer name are not mentions of the shorter one', () => {
    assert.equal(toStored('@Anna Lee and @Anna, mail@Annals', all), '@[usr-2] and @[usr-1], mail@[usr-1]ls')
    assert.equal(toStored('@Nobody', all), '@Nobody')
  })

  it('of unknown users show the ID', () => {
    assert.deepEqual(partsOf('Ask @[usr-9]', names), ['Ask ', { id: 'usr-9', name: 'usr-9' }])
  })
})

describe('The menu of people', () => {
  const begun = (text: string, cursor = text.length) => begunMention(text, cursor, [annaLee])?.query

  it('opens behind an at sign that begins a word, and follows the name', () => {
    assert.equal(begun('@'), '')
    assert.equal(begun('Ask @An'), 'An')
    assert.equal(begun('Ask (@Anna L'), 'Anna L')
    assert.equal(begun('Ask @An now', 7), 'An')
    assert.equal(begun('a line\n@b'), 'b')
  })

  it('stays closed in addresses, behind finished mentions, and far away', () => {
    for (const text of [
      'mail@example',
      'Ask @Anna Lee',
      'Ask @Anna Lee now',
      '@ x',
      '@a\nb',
      `@${'x'.repeat(50)}`,
      'x',
    ])
      assert.equal(begun(text), undefined, text)
  })

  it('puts the name in the place of what was typed', () => {
    const at = begunMention('Ask @An, please', 7, [])!
    assert.deepEqual(withMention('Ask @An, please', at, 'Anna Lee'), { text: 'Ask @Anna Lee , please', cursor: 14 })
  })
})
