// The kind of a failed run, which each place shows in plain words. The server's message is English.

type FailureKind =
  | 'cancelled'
  | 'interrupted'
  | 'hostKey'
  | 'address'
  | 'certificate'
  | 'guard'
  | 'login'
  | 'place'
  | 'unreachable'
  | 'answer'
  | 'slow'
  | 'plugin'
  | 'other'

/** The first match applies. The messages come from the runner and the destinations. */
const KNOWN: readonly (readonly [RegExp, FailureKind])[] = [
  [/^cancelled/, 'cancelled'],
  [/^interrupted|no news for/i, 'interrupted'],
  [/host key/i, 'hostKey'],
  [/--allow-destination/, 'address'],
  [/certificate|self.signed/i, 'certificate'],
  [/minRecords|maxDropPercent|guard/i, 'guard'],
  [/did not accept the user name|authentication|access ?denied|accesskey|signature|\b40[13]\b|forbidden/i, 'login'],
  [/no such (file|bucket)|not a directory|nosuchbucket|containernotfound|\b404\b|\b410\b|gone for good/i, 'place'],
  [
    /refused|enotfound|eai_again|etimedout|econnreset|no address|no answer|did not accept a connection|nothing was heard|connection was closed|closed the connection|unreachable/i,
    'unreachable',
  ],
  [/\banswered [345]\d\d/, 'answer'],
  [/longer than/, 'slow'],
  [/no (longer|such) (installed|destination)|not installed|unknown destination/i, 'plugin'],
  [/permission denied|eacces/i, 'login'],
]

export function failureKind(error: string | null): FailureKind {
  const found = KNOWN.find(([pattern]) => pattern.test(error ?? ''))
  return found?.[1] ?? 'other'
}
