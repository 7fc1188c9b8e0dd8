// Translates problems of values, which the domain and the server report in English. An unknown message stays unchanged.
import { problemWords as english } from '../words/en/problems.ts'
import { ENGLISH } from '../words/languages.ts'
import { language, say } from '../words/words.ts'

const HOLE = /\{(\w+)\}/
/** Placeholders whose texts are not numbers, even if they contain only digits. */
const WRITTEN = new Set(['column', 'name', 'record', 'text'])

export function problemText(message: string): string {
  // A value without a scope counts everywhere.
  const problem = message.replace(/ in scope \{\}$/, '')
  if (language.value === ENGLISH) return problem
  const said = problem.replace(/^amount /, '').replace(/^(values\.[\w-]+)\[\d+\](\.value)?/, '$1')
  for (const [name, text] of Object.entries(english)) {
    const parts = text.split(HOLE)
    const holes = parts.filter((_, at) => at % 2 === 1)
    const found = patternOf(parts).exec(said)
    if (found === null) continue
    return say(name, Object.fromEntries(holes.map((hole, at) => [hole, fillingOf(hole, found[at + 1]!)])))
  }
  return problem
}

/** All problems of a row. */
export function rowProblems(message: string): string {
  return message
    .split(/; (?=The column '|values\.)/)
    .map(problemText)
    .join(' · ')
}

/** Returns `values.name[0].value must be …` without the path: the message is beside the field. */
export function placedProblem(message: string): string {
  return problemText(
    message.replace(/^operations\[\d+\]:?\s*/, '').replace(/^values\.[\w-]+(\[\d+\])?(\.value)?\s+/, ''),
  )
}

/** @param parts of a sentence: every second part is the name of a hole */
function patternOf(parts: readonly string[]): RegExp {
  const source = parts.map((part, at) => (at % 2 === 1 ? '(.*?)' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${source.join('')}$`, 's')
}

function fillingOf(hole: string, text: string): string | number {
  if (hole === 'problem') return problemText(text)
  return !WRITTEN.has(hole) && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
