// Every failure that the console tells says its cause, and then what to do.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { failureText } from '../../../console/kit/failure-text.ts'
import { Refusal } from '../../../console/api/failures.ts'
import { commonWords as de } from '../../../console/words/de/common.ts'
import { exportsWords as deExports } from '../../../console/words/de/exports.ts'
import { homeWords as deHome } from '../../../console/words/de/home.ts'
import { commonWords as en } from '../../../console/words/en/common.ts'
import { exportsWords as enExports } from '../../../console/words/en/exports.ts'
import { homeWords as enHome } from '../../../console/words/en/home.ts'
import { commonWords as fr } from '../../../console/words/fr/common.ts'
import { exportsWords as frExports } from '../../../console/words/fr/exports.ts'
import { homeWords as frHome } from '../../../console/words/fr/home.ts'
import { languagesIn } from '../../../scripts/build/languages.ts'
import { ERROR_CODES } from '../../../src/kernel/errors.ts'

const WORDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  en: { ...en, ...enExports, ...enHome },
  de: { ...de, ...deExports, ...deHome },
  fr: { ...fr, ...frExports, ...frHome },
}

/** The second sentence addresses the reader: these words begin a request. */
const STEP: Readonly<Record<string, RegExp>> = {
  en: /\b(?:ask|change|check|choose|correct|create|delete|fill|go|has to|can permit|load|read|run|send|sign|try|type|upload|wait)\b/i,
  de: /\b(?:Sie|Betreiber des Ziels muss|kann es erlauben)\b/,
  fr: /(?:ez\b|doit\b|peut l’autoriser)/,
}

function assertHelpful(language: string, ...keys: readonly string[]): void {
  const texts = keys.map((key) => WORDS[language]![key])
  for (const text of texts) assert.equal(typeof text, 'string', `${language} ${keys.join()}`)
  const text = texts.join(' ')
  const key = keys.at(-1)
  const [cause, ...steps] = text.split(/(?<=[.!?]) /)
  assert.ok(cause!.length > 5 && steps.length > 0, `${language} ${key} has a cause and a step: ${text}`)
  assert.match(steps.join(' '), STEP[language]!, `${language} ${key} says what to do: ${text}`)
}

describe('A failure', () => {
  it('is told with its cause and the next step: each code of the interface, in each language', () => {
    assert.deepEqual(Object.keys(WORDS).toSorted(), [...languagesIn()].toSorted())
    for (const language of languagesIn())
      for (const code of [...ERROR_CODES, 'unreachable', 'other']) assertHelpful(language, `error.${code}`)
  })

  it('of a run is told with its cause and the next step', () => {
    const keys = Object.keys(enExports).filter((key) => key.startsWith('exports.fail.'))
    assert.ok(keys.length > 10)
    for (const language of languagesIn())
      for (const key of keys) assertHelpful(language, key.replace('exports', 'home'), key)
  })

  it('has the sentence of its own code, and an unknown code the general sentence', () => {
    const textOf = (code: string) =>
      failureText(new Refusal({ code, message: 'why', status: 400, requestId: 'request' }))
    const texts = ERROR_CODES.map(textOf)
    assert.equal(new Set(texts).size, ERROR_CODES.length)
    for (const code of ['CONSTRUCTOR', 'constructor', '__proto__']) assert.equal(textOf(code), textOf('INTERNAL_ERROR'))
  })
})
