// Translates problems of values, which the domain and the server state in English. An unknown message stays as it is.
import { problemWords as english } from '../words/en/problems.ts'
import { language, say } from '../words/words.ts'

const HOLE = /\{(\w+)\}/

export function problemText(problem: string): string {
  if (language.value === 'en') return problem
  const said = problem.replace(/^amount /, '')
  for (const [name, text] of Object.entries(english)) {
    const [before, hole = '', behind] = text.split(HOLE) as [string, string?, string?]
    if (behind === undefined ? said !== before : !said.startsWith(before) || !said.endsWith(behind)) continue
    const filling = said.slice(before.length, said.length - (behind ?? '').length)
    const isNumber = filling !== '' && Number.isFinite(Number(filling))
    return say(name, { [hole]: isNumber ? Number(filling) : filling })
  }
  return problem
}

/** `values.name[0].value must be …` without the path: the message stands beside the field. */
export function placedProblem(message: string): string {
  return problemText(
    message.replace(/^operations\[\d+\]:?\s*/, '').replace(/^values\.[\w-]+(\[\d+\])?(\.value)?\s+/, ''),
  )
}
