// The reason why a run failed, in plain words with advice; the server's message stands beside them.
import type { exportsWords } from '../words/en/exports.ts'

type FailureWord = Extract<keyof typeof exportsWords, `exports.fail.${string}`>

/** The first match applies. The messages come from the runner and the destinations. */
const KNOWN: readonly (readonly [RegExp, FailureWord])[] = [
  [/^cancelled/, 'exports.fail.cancelled'],
  [/^interrupted|no news for/i, 'exports.fail.interrupted'],
  [/host key/i, 'exports.fail.hostKey'],
  [/--allow-destination/, 'exports.fail.address'],
  [/certificate|self.signed/i, 'exports.fail.certificate'],
  [/minRecords|maxDropPercent|guard/i, 'exports.fail.guard'],
  [
    /did not accept the user name|authentication|access ?denied|accesskey|signature|\b40[13]\b|forbidden/i,
    'exports.fail.login',
  ],
  [
    /no such (file|bucket)|not a directory|nosuchbucket|containernotfound|\b404\b|\b410\b|gone for good/i,
    'exports.fail.place',
  ],
  [
    /refused|enotfound|eai_again|etimedout|econnreset|no address|no answer|did not accept a connection|nothing was heard|connection was closed|closed the connection|unreachable/i,
    'exports.fail.unreachable',
  ],
  [/\banswered [345]\d\d/, 'exports.fail.answer'],
  [/longer than/, 'exports.fail.slow'],
  [/no (longer|such) (installed|destination)|not installed|unknown destination/i, 'exports.fail.plugin'],
  [/permission denied|eacces/i, 'exports.fail.login'],
]

export function failureWord(error: string | null): FailureWord {
  const found = KNOWN.find(([pattern]) => pattern.test(error ?? ''))
  return found?.[1] ?? 'exports.fail.other'
}
