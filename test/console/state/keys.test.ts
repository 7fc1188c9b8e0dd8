// Maps keys to commands.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Command, Commands } from '../../../console/state/commands.ts'
import { keyOf, type KeyPlace, Keys, keyText } from '../../../console/state/keys.ts'

const PRESSED = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false }

function keyboard(
  given: readonly (Partial<Command> & { readonly id: string })[],
  { isMac = false, letters = true } = {},
) {
  const commands = new Commands()
  commands.register(given.map((one) => ({ group: 'general', title: () => one.id, run: () => undefined, ...one })))
  const clock = { now: 0 }
  const settings = { isMac, hasLetters: () => letters, now: () => clock.now }
  const keys = new Keys(() => commands.list.value, settings)
  const press = (key: string, place: KeyPlace = 'page', modifiers = {}) =>
    keys.find({ ...PRESSED, key, ...modifiers }, place)?.id
  return { press, commands, clock }
}

describe('Keys', () => {
  it('find the command that was registered last, as a place goes before the frame', () => {
    const { press, commands } = keyboard([{ id: 'frame', keys: 'ctrl+s' }])
    const leave = commands.register([
      { id: 'place', keys: 'ctrl+s', group: 'here', title: () => 'Save', run: () => undefined },
    ])
    assert.equal(press('s', 'text', { ctrlKey: true }), 'place')
    leave()
    assert.equal(press('s', 'text', { ctrlKey: true }), 'frame')
  })

  it('one after another make a sequence, for a moment', () => {
    const { press, clock } = keyboard([
      { id: 'records', keys: 'g r' },
      { id: 'r', keys: 'r' },
    ])
    assert.equal(press('g'), undefined)
    assert.equal(press('r'), 'records')
    press('g')
    clock.now += 2000
    assert.equal(press('r'), 'r')
  })

  it('letters type in texts and in sheets, and command elsewhere unless that is switched off', () => {
    const { press } = keyboard([{ id: 'edit', keys: 'e' }])
    assert.deepEqual([press('e', 'text'), press('e', 'sheet'), press('e')], [undefined, undefined, 'edit'])
    const off = keyboard([{ id: 'edit', keys: 'e' }], { letters: false })
    assert.equal(off.press('e'), undefined)
  })

  it('in a text undo, finding and clipboard are the browser’s', () => {
    const { press } = keyboard([
      { id: 'undo', keys: 'ctrl+z' },
      { id: 'find', keys: 'ctrl+f' },
    ])
    for (const [key, id] of [
      ['z', 'undo'],
      ['f', 'find'],
    ] as const) {
      assert.equal(press(key, 'text', { ctrlKey: true }), undefined)
      assert.equal(press(key, 'page', { ctrlKey: true }), id)
    }
  })

  it('that are part of a composition are nobody’s', () => {
    const { press } = keyboard([{ id: 'f', keys: 'f8' }])
    assert.equal(press('F8', 'text', { isComposing: true }), undefined)
    assert.equal(press('F8', 'text'), 'f')
  })

  it('of a closed command do nothing, of one that is not there neither', () => {
    const { press } = keyboard([
      { id: 'closed', keys: 'x', closedBecause: () => 'needs Editor' },
      { id: 'absent', keys: 'y', isThere: () => false },
    ])
    assert.deepEqual([press('x'), press('y')], [undefined, undefined])
  })

  it('are Cmd on a Mac, and shown as people there know them', () => {
    const { press } = keyboard([{ id: 'line', keys: 'ctrl+k' }], { isMac: true })
    assert.equal(press('k', 'text', { metaKey: true }), 'line')
    assert.equal(press('k', 'text', { ctrlKey: true }), undefined)
    assert.equal(keyText('ctrl+shift+z | ctrl+y', true), '⌘⇧Z')
    assert.equal(keyText('ctrl+shift+z | ctrl+y', false), 'Ctrl+Shift+Z')
    assert.equal(keyText('g r', false), 'g r')
  })

  it('with Shift are letters with it, and signs by themselves', () => {
    const withShift = { ...PRESSED, shiftKey: true }
    assert.equal(keyOf({ ...withShift, key: 'Z', ctrlKey: true }, false), 'ctrl+shift+z')
    assert.equal(keyOf({ ...withShift, key: '?' }, false), '?')
    assert.equal(keyOf({ ...withShift, key: 'F8' }, false), 'shift+f8')
  })
})

describe('The command line', () => {
  it('finds by words, whatever their case and accents, what begins so first', () => {
    const { commands } = keyboard(
      ['Go to Exports', 'Exporte öffnen', 'Undo'].map((title) => ({ id: title, title: () => title })),
    )
    const found = (text: string) => commands.find(text).map(({ id }) => id)
    assert.deepEqual(found('export'), ['Exporte öffnen', 'Go to Exports'])
    assert.deepEqual(found('OFFNEN exp'), ['Exporte öffnen'])
    assert.deepEqual(found('nothing'), [])
  })

  it('asks its sources for more, of which one may fail', async () => {
    const { commands } = keyboard([])
    commands.addSource(async () => {
      throw new Error('away')
    })
    commands.addSource(async (text) => [{ id: text, title: text, detail: '', run: () => undefined }])
    const found = await commands.findMore('tea', new AbortController().signal)
    assert.deepEqual(
      found.map(({ id }) => id),
      ['tea'],
    )
  })
})
